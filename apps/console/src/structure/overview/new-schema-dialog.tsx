import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../../shell/client.ts";
import { FormDialog } from "../../shell/form-dialog.tsx";
import { useTask } from "../../shell/use-task.ts";
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
    <FormDialog title={t("newSchema")} onClose={props.onClose} task={task} submit={words("create")}>
      <TextField
        label={words("name")}
        name="name"
        autoComplete="off"
        value={name}
        onChange={setName}
        fault={task.faultAt("/data/name")}
        isFirst
      />
    </FormDialog>
  );
}
