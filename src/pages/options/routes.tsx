import { Bot, FileCode2, FolderClosed, Info, ScrollText, ShieldCheck } from "lucide-react";
import type { ComponentType, ReactNode } from "react";
import type { MessageKey } from "@/locales/catalogue";
import { AboutPage } from "./about/AboutPage";
import { ConsentPage } from "./consent/ConsentPage";
import { OpenCount } from "./consent/OpenCount";
import { FilesPage } from "./files/FilesPage";
import { LogPage } from "./log/LogPage";
import { ModelsPage } from "./models/ModelsPage";
import { ScriptsPage } from "./scripts/ScriptsPage";

/**
 * A place of the options page. It has all addresses below its path; its component reads the rest itself. Small ones are part of
 * the page, so that nothing but data is waited for; a heavy one (an editor) is a `lazy` component.
 */
export interface OptionsRoute {
  path: string;
  label: MessageKey;
  icon: ReactNode;
  component: ComponentType;
  /** Beside its name in the rail: how much waits there. */
  aside?: ComponentType;
}

/** The left rail, from top to bottom. A new place is one line here. */
export const ROUTES: readonly OptionsRoute[] = [
  {
    path: "/scripts",
    label: "nav.scripts",
    icon: <FileCode2 size={16} aria-hidden="true" />,
    component: ScriptsPage,
  },
  { path: "/models", label: "nav.models", icon: <Bot size={16} aria-hidden="true" />, component: ModelsPage },
  {
    path: "/consent",
    label: "nav.consent",
    icon: <ShieldCheck size={16} aria-hidden="true" />,
    component: ConsentPage,
    aside: OpenCount,
  },
  {
    path: "/files",
    label: "nav.files",
    icon: <FolderClosed size={16} aria-hidden="true" />,
    component: FilesPage,
  },
  { path: "/log", label: "nav.log", icon: <ScrollText size={16} aria-hidden="true" />, component: LogPage },
  { path: "/about", label: "nav.about", icon: <Info size={16} aria-hidden="true" />, component: AboutPage },
];

/** Where the options page starts. */
export const HOME = "/scripts";
