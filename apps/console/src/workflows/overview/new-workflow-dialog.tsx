import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslations } from "use-intl";
import { useOpen } from "../../shell/app-link.tsx";
import { client } from "../../shell/client.ts";
import { FormDialog } from "../../shell/form-dialog.tsx";
import { personQuery } from "../../shell/navigation.ts";
import { useTask } from "../../shell/use-task.ts";
import { TextField } from "../../ui/text-field.tsx";
import type { Definition } from "../model/definition.ts";
import { workflowPath } from "../parts/workflow-paths.ts";
import { useWorkflowChange } from "../parts/workflow-queries.ts";
import { slugOf } from "./first-definition.ts";

interface NewWorkflowDialogProps {
  readonly title: string;
  /** The name that is proposed. */
  readonly name: string;
  /** Returns the draft, whose runs have the rights of a user. */
  readonly definitionFor: (userId: string) => Definition;
  readonly onClose: () => void;
  /** What the draft needs. */
  readonly children?: ReactNode;
}

/** Asks for the name of a new workflow, creates its draft and opens the editor. */
export function NewWorkflowDialog(props: NewWorkflowDialogProps) {
  const t = useTranslations("workflows");
  const words = useTranslations("manage");
  const open = useOpen();
  const onChange = useWorkflowChange();
  const { data: person } = useQuery(personQuery);
  const [name, setName] = useState(props.name);
  const [ownSlug, setOwnSlug] = useState<string>();
  const slug = ownSlug ?? slugOf(name);
  const task = useTask(async () => {
    if (person === undefined) return;
    const definition = props.definitionFor(person.id);
    const { data } = await client.admin.post("/workflows", {
      data: { name: name.trim(), slug, definition },
    });
    await onChange(data);
    open(workflowPath(data.id));
  }, ["/data/name", "/data/slug"]);
  const isTaken = task.code === "UNIQUE_VIOLATION";
  const slugFault = isTaken ? t("slugTaken") : t("slugFault");
  return (
    <FormDialog
      title={props.title}
      task={task}
      submit={words("create")}
      isReady={person !== undefined}
      onClose={props.onClose}
    >
      {props.children}
      <TextField
        label={words("name")}
        name="name"
        autoComplete="off"
        value={name}
        onChange={setName}
        fault={task.faultAt("/data/name") === undefined ? undefined : t("nameFault")}
        isFirst
      />
      <TextField
        label={t("slug")}
        name="slug"
        autoComplete="off"
        value={slug}
        onChange={setOwnSlug}
        hint={t("slugHint")}
        fault={task.faultAt("/data/slug") === undefined ? undefined : slugFault}
      />
      <p className="text-2 text-ink-2">{t("newText")}</p>
    </FormDialog>
  );
}
