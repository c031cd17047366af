import { useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../shell/client.ts";
import { FormDialog } from "../shell/form-dialog.tsx";
import { useTask } from "../shell/use-task.ts";
import { Notice } from "../ui/notice.tsx";
import { carryOver, changedFields, isChangedMeanwhile } from "./changed-fields.ts";
import { namedPointers } from "./named-fields.tsx";
import type { Token } from "./people-queries.ts";
import { usePeopleChange } from "./people-queries.ts";
import { TokenTexts } from "./token-texts.tsx";

/** Changes the name or the description of a token. */
export function EditTokenDialog(props: { readonly token: Token; readonly onClose: () => void }) {
  const t = useTranslations("tokens");
  const words = useTranslations("manage");
  const onChange = usePeopleChange();
  const { token, onClose } = props;
  const [base, setBase] = useState(() => textsOf(token));
  const [form, setForm] = useState(base);
  const [isChanged, setChanged] = useState(false);
  const task = useTask(async () => {
    const path = { id: token.id };
    const changes = changedFields(base, form);
    const now = textsOf((await client.admin.get("/tokens/{id}", { path })).data);
    setChanged(isChangedMeanwhile(base, now, changes));
    if (isChangedMeanwhile(base, now, changes)) {
      setForm(carryOver(form, base, now));
      setBase(now);
      return;
    }
    await client.admin.patch("/tokens/{id}", { path, data: changes });
    await onChange();
    onClose();
  }, namedPointers);
  return (
    <FormDialog
      title={t("editTitle", { name: token.name })}
      onClose={onClose}
      task={task}
      submit={words("save")}
    >
      {isChanged && (
        <Notice kind="danger">{t("changed", { name: base.name, text: base.description })}</Notice>
      )}
      <TokenTexts form={form} onChange={setForm} task={task} isFirst />
    </FormDialog>
  );
}

function textsOf({ name, description }: Token) {
  return { name, description };
}
