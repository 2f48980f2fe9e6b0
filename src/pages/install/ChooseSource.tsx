import { FileUp } from "lucide-react";
import { type DragEvent, type FormEvent, useRef, useState } from "react";
import { useT } from "@/locales/react";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { Field, Input, Textarea } from "@/ui/Field";
import { Tabs } from "@/ui/Tabs";
import { readSourceFile } from "../shared/draft";
import { FailedCall } from "../shared/FailedCall";
import { useTitle } from "../shared/use-title";
import type { InstallFlow, Tab } from "./use-install-flow";

/** Where the script comes from: pasted, a file, or an address. */
export function ChooseSource({ flow, tab }: { flow: InstallFlow; tab: Tab }) {
  const t = useT();
  useTitle(t("install.title"));
  return (
    <>
      <h1 className="text-title font-semibold">{t("install.title")}</h1>
      <Tabs<Tab>
        label={t("install.from")}
        value={tab}
        onChange={flow.chooseTab}
        tabs={[
          { value: "paste", label: t("install.tab.paste"), content: <PasteTab flow={flow} /> },
          { value: "file", label: t("install.tab.file"), content: <FileTab flow={flow} /> },
          { value: "url", label: t("install.tab.url"), content: <UrlTab flow={flow} /> },
        ]}
      />
      {flow.failure && <FailedCall title={flow.failure.title} error={flow.failure.error} compact />}
    </>
  );
}

function PasteTab({ flow }: { flow: InstallFlow }) {
  const t = useT();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (flow.code.trim() !== "") flow.review({ code: flow.code });
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <Field label={t("install.paste.label")} hint={t("install.paste.hint")}>
        {({ invalid, ...control }) => (
          <Textarea
            {...control}
            invalid={invalid}
            rows={18}
            spellCheck={false}
            autoCapitalize="off"
            autoCorrect="off"
            wrap="off"
            className="min-h-40 resize-y font-mono text-code"
            placeholder={EXAMPLE}
            value={flow.code}
            onChange={(event) => flow.setCode(event.target.value)}
            onPaste={(event) => {
              const text = event.clipboardData.getData("text/plain");
              if (text.length < LARGE_PASTE) return;
              event.preventDefault();
              const { value, selectionStart, selectionEnd } = event.currentTarget;
              flow.setCode(value.slice(0, selectionStart) + text + value.slice(selectionEnd));
            }}
            onKeyDown={(event) => {
              if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit(event);
            }}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" type="submit" disabled={flow.code.trim() === ""}>
          {t("install.review")}
        </Button>
        <Button kind="quiet" disabled={flow.code === ""} onClick={() => flow.setCode("")}>
          {t("install.paste.clear")}
        </Button>
      </div>
    </form>
  );
}

/** Above this many characters the browser's own paste, which records each line for undoing, takes seconds to minutes. */
const LARGE_PASTE = 100_000;

/** The shape of a userscript: the same in every language. */
const EXAMPLE = [
  "// ==UserScript==",
  "// @name     Hello",
  "// @match    https://example.com/*",
  "// @grant    none",
  "// ==/UserScript==",
  "",
  'document.body.prepend("Hello");',
].join("\n");

function FileTab({ flow }: { flow: InstallFlow }) {
  const t = useT();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const [error, setError] = useState<{ file: string; error: Error } | null>(null);
  const read = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    setError(null);
    try {
      flow.review(await readSourceFile(t, file));
    } catch (cause) {
      setError({ file: file.name, error: cause instanceof Error ? cause : new Error(String(cause)) });
    }
  };
  const drag = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      void read(event.dataTransfer.files[0]);
    },
  };
  return (
    <div className="flex flex-col gap-3">
      <section
        {...drag}
        aria-label={t("install.tab.file")}
        className={cx(
          "flex flex-col items-center gap-3 rounded-ui border border-dashed px-4 py-16 text-center transition-colors",
          over ? "border-accent bg-accent-soft" : "border-line-strong",
        )}
      >
        <FileUp size={32} strokeWidth={1.5} aria-hidden="true" className="text-faint" />
        <p className="text-muted">{t("install.file.drop")}</p>
        <Button onClick={() => input.current?.click()}>{t("install.file.choose")}</Button>
        <input
          ref={input}
          type="file"
          accept=".js,.user.js,text/javascript"
          className="hidden"
          aria-label={t("install.file.choose")}
          onChange={(event) => {
            void read(event.target.files?.[0]);
            // So that choosing the same file again is a change again.
            event.target.value = "";
          }}
        />
      </section>
      {error && (
        <FailedCall title={t("install.failed.file", { name: error.file })} error={error.error} compact />
      )}
    </div>
  );
}

function UrlTab({ flow }: { flow: InstallFlow }) {
  const t = useT();
  const [wrong, setWrong] = useState(false);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const url = flow.url.trim();
    const good = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
    setWrong(!good);
    if (good && !flow.fetching) void flow.fetchUrl(url);
  };
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-3">
      <Field
        label={t("install.url.label")}
        hint={t("install.url.hint")}
        error={wrong ? t("install.url.wrong") : null}
      >
        {(control) => (
          <Input
            {...control}
            type="url"
            inputMode="url"
            spellCheck={false}
            placeholder={t("install.url.example")}
            value={flow.url}
            onChange={(event) => {
              setWrong(false);
              flow.setUrl(event.target.value);
            }}
          />
        )}
      </Field>
      <div>
        <Button kind="primary" type="submit" busy={flow.fetching}>
          {flow.fetching ? t("install.url.fetching") : t("install.url.fetch")}
        </Button>
      </div>
    </form>
  );
}
