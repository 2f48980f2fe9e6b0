import { Component, type ErrorInfo, type ReactNode, useEffect } from "react";
import { useT } from "@/locales/react";
import { ErrorState } from "@/ui/States";
import { useReportError } from "./report-error";

interface Props {
  children: ReactNode;
  /** Another value tries again, such as the address of the view. */
  resetKey?: string;
}

/** A view that breaks says so in its place; the rest of the page goes on. */
export class ErrorBoundary extends Component<Props, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    console.error("A view of Moggy broke.", error, info.componentStack);
  }

  override componentDidUpdate(before: Props): void {
    if (before.resetKey !== this.props.resetKey && this.state.error) this.setState({ error: null });
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    return <Broken error={error} onRetry={() => this.setState({ error: null })} />;
  }
}

function Broken({ error, onRetry }: { error: Error; onRetry(): void }) {
  const t = useT();
  const report = useReportError();
  useEffect(() => report({ during: t("error.broken"), error, shown: true }), [report, t, error]);
  return (
    <ErrorState
      title={t("error.broken")}
      why={error.message}
      todo={t("error.broken.todo")}
      onRetry={onRetry}
    />
  );
}
