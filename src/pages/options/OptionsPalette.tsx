import { Bot, FileCode2, FilePlus2, MessageCircleQuestion, Moon, Plus, Sun, SunMoon } from "lucide-react";
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from "react";
import { useLocation } from "wouter";
import { useT } from "@/locales/react";
import { type Command, CommandPalette } from "@/ui/CommandPalette";
import { useHotkey } from "@/ui/useHotkey";
import { useServices } from "../connect";
import { focusCards } from "../shared/ConsentCards";
import { useQuestions } from "../shared/consent/questions";
import { useSettings } from "../shared/settings";
import { useAct } from "../shared/use-act";
import { useCall } from "../use-call";
import { ROUTES } from "./routes";

const OpenContext = createContext<() => void>(() => undefined);

/** Opens the palette, for a button that says so. */
export function useOpenPalette(): () => void {
  return useContext(OpenContext);
}

/** The command palette of the options page, on Ctrl/Cmd-K: places, actions, every script and model by name. */
export function OptionsPalette({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const show = useCallback(() => setOpen(true), []);
  const hide = useCallback(() => setOpen(false), []);
  useHotkey("mod+k", () => setOpen((now) => !now));
  return (
    <OpenContext value={show}>
      {children}
      {open && <Filled onClose={hide} />}
    </OpenContext>
  );
}

/** Only an open palette asks the worker for names. */
function Filled({ onClose }: { onClose(): void }) {
  const services = useServices();
  const scripts = useCall(services.scripts, "list", {});
  const models = useCall(services.models, "list", {});
  const fixed = useFixedCommands();
  const t = useT();
  const [, navigate] = useLocation();
  const commands = useMemo(
    (): Command[] => [
      ...fixed,
      ...(scripts.data ?? []).map((script) => ({
        id: `script:${script.uuid}`,
        title: script.name,
        hint: t("palette.script"),
        icon: <FileCode2 size={16} aria-hidden="true" />,
        run: () => navigate(`/scripts/${script.uuid}`),
      })),
      ...(models.data ?? []).map((model) => ({
        id: `model:${model.id}`,
        title: model.name,
        hint: t("palette.model"),
        icon: <Bot size={16} aria-hidden="true" />,
        run: () => navigate(`/models/${model.id}`),
      })),
    ],
    [fixed, scripts.data, models.data, navigate, t],
  );
  return <CommandPalette open onClose={onClose} commands={commands} />;
}

function useFixedCommands(): Command[] {
  const t = useT();
  const [, navigate] = useLocation();
  const { update } = useSettings();
  const act = useAct();
  const open = useQuestions().asking.length > 0;
  return useMemo(() => {
    const theme = (value: "system" | "light" | "dark") => () =>
      void act(t("settings.failed"), () => update({ theme: value }));
    return [
      ...(open
        ? [
            {
              id: "answer",
              title: t("consent.palette.answer"),
              icon: <MessageCircleQuestion size={16} aria-hidden="true" />,
              run: focusCards,
            },
          ]
        : []),
      ...ROUTES.map(({ path, label, icon }) => ({
        id: path,
        title: t.any(label),
        hint: t("palette.go"),
        icon,
        run: () => navigate(path),
      })),
      {
        id: "install",
        title: t("scripts.install"),
        icon: <FilePlus2 size={16} aria-hidden="true" />,
        run: () => window.location.assign("install.html#paste"),
      },
      {
        id: "model-add",
        title: t("models.add"),
        icon: <Plus size={16} aria-hidden="true" />,
        run: () => navigate("/models/new"),
      },
      {
        id: "light",
        title: t("palette.light"),
        icon: <Sun size={16} aria-hidden="true" />,
        run: theme("light"),
      },
      {
        id: "dark",
        title: t("palette.dark"),
        icon: <Moon size={16} aria-hidden="true" />,
        run: theme("dark"),
      },
      {
        id: "system",
        title: t("palette.system"),
        icon: <SunMoon size={16} aria-hidden="true" />,
        run: theme("system"),
      },
    ];
  }, [t, navigate, update, act, open]);
}
