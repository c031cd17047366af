import { useState } from "react";
import { useTranslations } from "use-intl";
import { useOpen } from "../../shell/app-link.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { accessPath } from "../access-paths.ts";
import type { GrantSaving } from "./use-save-grant.ts";

/** Deletes a grant, after it has said what its role loses. */
export function DeleteGrant(props: {
  /** The grant in a sentence. */
  readonly title: string;
  /** Who loses it. */
  readonly members: string;
  readonly saving: GrantSaving;
}) {
  const { title, members, saving } = props;
  const t = useTranslations("access");
  const words = useTranslations("manage");
  const open = useOpen();
  const [isAsked, ask] = useState(false);
  return (
    <>
      <ToolButton kind="danger" onClick={() => ask(true)}>
        {words("delete")}
      </ToolButton>
      {isAsked && (
        <ConfirmDialog
          title={t("delete.title")}
          confirm={words("delete")}
          cancel={words("cancel")}
          failure={saving.failure}
          isBusy={saving.isBusy}
          onClose={() => ask(false)}
          onConfirm={() => {
            void saving.remove().then((isDone) => {
              ask(false);
              if (isDone) open(accessPath);
            });
          }}
        >
          <p dir="auto">{title}</p>
          <p>{t("delete.text", { members })}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
