import { useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../shell/client.ts";
import { useTask } from "../shell/use-task.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogActions } from "../ui/dialog.tsx";
import { Notice } from "../ui/notice.tsx";
import { carryOver, changedFields, isChangedMeanwhile } from "./changed-fields.ts";
import type { Token } from "./people-queries.ts";
import { usePeopleChange } from "./people-queries.ts";
import { TokenTexts, tokenPointers } from "./token-texts.tsx";

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
  }, tokenPointers);
  return (
    <Dialog title={t("editTitle", { name: token.name })} onClose={onClose}>
      <form noValidate onSubmit={task.submit} className="grid gap-4">
        {task.failure !== undefined && <Notice kind="danger">{task.failure}</Notice>}
        {isChanged && (
          <Notice kind="danger">{t("changed", { name: base.name, text: base.description })}</Notice>
        )}
        <TokenTexts form={form} onChange={setForm} task={task} isFirst />
        <DialogActions>
          <Button onPress={onClose}>{words("cancel")}</Button>
          <Button type="submit" kind="primary" isBusy={task.isBusy}>
            {words("save")}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function textsOf({ name, description }: Token) {
  return { name, description };
}
