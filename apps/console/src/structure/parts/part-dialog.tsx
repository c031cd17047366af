import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";

/** A dialog that adds a part to the draft. */
export function PartDialog(props: {
  readonly title: string;
  readonly isComplete: boolean;
  readonly onAdd: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const t = useTranslations("tableDraft");
  const words = useTranslations("manage");
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!props.isComplete) return;
          props.onAdd();
          props.onClose();
        }}
      >
        {props.children}
        <DialogActions>
          <Button onPress={props.onClose}>{words("cancel")}</Button>
          <Button type="submit" kind="primary" isBusy={!props.isComplete}>
            {t("addToDraft")}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
