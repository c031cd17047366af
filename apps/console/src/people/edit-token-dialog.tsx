import { useTranslations } from "use-intl";
import { client } from "../shell/client.ts";
import { FormDialog } from "../shell/form-dialog.tsx";
import { useRecordForm } from "../shell/use-record-form.ts";
import { Notice } from "../ui/notice.tsx";
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
  const path = { id: token.id };
  const { base, form, setForm, outcome, task } = useRecordForm({
    record: textsOf(token),
    read: async () => {
      const { data, etag } = await client.admin.get("/tokens/{id}", { path });
      return { fields: textsOf(data), etag };
    },
    write: async (data) => {
      const answer = await client.admin.patch("/tokens/{id}", { path, data });
      await onChange();
      onClose();
      return textsOf(answer.data);
    },
    pointers: namedPointers,
  });
  return (
    <FormDialog
      title={t("editTitle", { name: token.name })}
      onClose={onClose}
      task={task}
      submit={words("save")}
    >
      {outcome === "changed" && (
        <Notice kind="danger">{t("changed", { name: base.name, text: base.description })}</Notice>
      )}
      <TokenTexts form={form} onChange={setForm} task={task} isFirst />
    </FormDialog>
  );
}

function textsOf({ name, description }: Token) {
  return { name, description };
}
