import { X } from "lucide-react";
import { AlertDialog as RadixAlert, Dialog as RadixDialog } from "radix-ui";
import type { ReactNode } from "react";
import { useT } from "@/locales/react";
import { Button, IconButton } from "./Button";
import { cx } from "./cx";
import { useFocusBack } from "./focus-back";

const OVERLAY = "fixed inset-0 z-40 animate-appear bg-overlay";
const PANEL =
  "fixed top-1/2 left-1/2 z-50 flex max-h-[85vh] -translate-x-1/2 -translate-y-1/2 animate-appear flex-col gap-3 overflow-auto rounded-ui border border-line bg-raised p-5 shadow-float focus:outline-none";
const NARROW = "w-[min(30rem,calc(100vw-2rem))]";
const WIDE = "w-[min(48rem,calc(100vw-2rem))]";

export interface DialogProps {
  open: boolean;
  onClose(): void;
  title: string;
  description?: string;
  /** For what is read in lines, such as code. */
  wide?: boolean;
  children: ReactNode;
}

/** A window over the page: takes the focus, gives it back, closes on Escape. */
export function Dialog({ open, onClose, title, description, wide, children }: DialogProps) {
  const t = useT();
  const focusBack = useFocusBack();
  return (
    <RadixDialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={OVERLAY} />
        <RadixDialog.Content
          {...focusBack}
          className={cx(PANEL, wide ? WIDE : NARROW)}
          {...(description ? {} : { "aria-describedby": undefined })}
        >
          <div className="flex items-start justify-between gap-4">
            <RadixDialog.Title className="text-head font-semibold">{title}</RadixDialog.Title>
            <RadixDialog.Close asChild>
              <IconButton label={t("common.close")} className="-mt-1 -mr-2">
                <X size={16} aria-hidden="true" />
              </IconButton>
            </RadixDialog.Close>
          </div>
          {description && (
            <RadixDialog.Description className="text-read text-muted">{description}</RadixDialog.Description>
          )}
          {children}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

export interface AlertDialogProps {
  open: boolean;
  /** Names the thing: "Remove the model "Claude"?" */
  title: string;
  /** What is lost by it. */
  description: string;
  /** The verb. */
  confirm: string;
  onConfirm(): void;
  onClose(): void;
}

/** Asks before something that cannot be undone. The focus starts on Cancel. */
export function AlertDialog({ open, title, description, confirm, onConfirm, onClose }: AlertDialogProps) {
  const t = useT();
  const focusBack = useFocusBack();
  return (
    <RadixAlert.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <RadixAlert.Portal>
        <RadixAlert.Overlay className={OVERLAY} />
        <RadixAlert.Content {...focusBack} className={cx(PANEL, NARROW)}>
          <RadixAlert.Title className="text-head font-semibold">{title}</RadixAlert.Title>
          <RadixAlert.Description className="text-read text-muted">{description}</RadixAlert.Description>
          <div className="mt-2 flex flex-wrap justify-end gap-2">
            <RadixAlert.Cancel asChild>
              <Button>{t("common.cancel")}</Button>
            </RadixAlert.Cancel>
            <RadixAlert.Action asChild>
              <Button kind="danger" onClick={onConfirm}>
                {confirm}
              </Button>
            </RadixAlert.Action>
          </div>
        </RadixAlert.Content>
      </RadixAlert.Portal>
    </RadixAlert.Root>
  );
}
