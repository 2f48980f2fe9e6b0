import { useCallback, useEffect, useState } from "react";
import type { FileStat } from "@/files/types";
import { useServices } from "../../connect";
import { imageType, textOf } from "./preview";

export type Preview = { kind: "image"; blob: Blob } | { kind: "text"; text: string | null };

/** Reads a file to be shown. */
export function usePreview({ path }: FileStat): {
  data: Preview | undefined;
  error: Error | undefined;
  reload(): void;
} {
  const { files } = useServices();
  const [state, setState] = useState<{ data?: Preview; error?: Error }>({});
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an attempt is a reason to read again.
  useEffect(() => {
    let current = true;
    setState({});
    const read = async (): Promise<Preview> => {
      const blob = await files.call("read", { place: { area: "workspace", path } }, { repeatable: true });
      const type = imageType(path);
      if (type !== undefined) return { kind: "image", blob: new Blob([blob], { type }) };
      return { kind: "text", text: textOf(await blob.arrayBuffer()) };
    };
    read().then(
      (data) => current && setState({ data }),
      (error: Error) => current && setState({ error }),
    );
    return () => {
      current = false;
    };
  }, [files, path, attempt]);
  const reload = useCallback(() => setAttempt((n) => n + 1), []);
  return { data: state.data, error: state.error, reload };
}
