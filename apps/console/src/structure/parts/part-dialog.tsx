import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { FormDialog } from "../../shell/form-dialog.tsx";

/** A dialog that adds a part to the draft. */
export function PartDialog(props: {
  readonly title: string;
  readonly isComplete: boolean;
  readonly onAdd: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const t = useTranslations("tableDraft");
  const run = () => {
    props.onAdd();
    props.onClose();
  };
  return (
    <FormDialog
      title={props.title}
      task={{ run, isBusy: false, failure: undefined }}
      submit={t("addToDraft")}
      isReady={props.isComplete}
      onClose={props.onClose}
    >
      {props.children}
    </FormDialog>
  );
}
