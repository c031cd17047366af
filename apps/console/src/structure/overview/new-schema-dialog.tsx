import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../../shell/client.ts";
import { useTask } from "../../shell/use-task.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { TextField } from "../../ui/text-field.tsx";

/** Asks for the name of a schema and creates it. */
export function NewSchemaDialog(props: {
  readonly onClose: () => void;
  readonly onCreated: (name: string) => void;
}) {
  const t = useTranslations("structure");
  const words = useTranslations("manage");
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const task = useTask(async () => {
    const { data } = await client.admin.post("/schema", { data: { name } });
    await queries.invalidateQueries({ queryKey: ["structure", "schemas"] });
    props.onCreated(data.name);
  }, ["/data/name"]);
  return (
    <Dialog title={t("newSchema")} onClose={props.onClose}>
      <form onSubmit={task.submit} className="grid gap-4">
        {task.failure !== undefined && <Notice kind="danger">{task.failure}</Notice>}
        <TextField
          label={words("name")}
          name="name"
          autoComplete="off"
          value={name}
          onChange={setName}
          fault={task.faultAt("/data/name")}
          isFirst
        />
        <DialogActions>
          <Button onPress={props.onClose}>{words("cancel")}</Button>
          <Button type="submit" kind="primary" isBusy={task.isBusy}>
            {words("create")}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
