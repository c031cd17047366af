import { useTranslations } from "use-intl";
import { type FileRecord, filesAddress, mayUpdate } from "../../records/library/file-record.ts";
import { client } from "../../shell/client.ts";
import type { NavigationResource } from "../../shell/navigation.ts";
import { changedFields, useRecordForm } from "../../shell/use-record-form.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { TextArea } from "../../ui/text-area.tsx";
import { TextField } from "../../ui/text-field.tsx";

interface FileFormProps {
  readonly resource: NavigationResource;
  readonly file: FileRecord;
  readonly onChanged: () => Promise<void>;
}

interface Form {
  readonly name: string;
  readonly title: string;
  readonly description: string;
}

function formOf({ name, title, description }: FileRecord): Form {
  return { name: name ?? "", title: title ?? "", description: description ?? "" };
}

/** The fields of a file that people write, as far as this person may. */
export function FileForm({ resource, file, onChanged }: FileFormProps) {
  const t = useTranslations("files");
  const words = useTranslations("manage");
  const files = client.from(filesAddress);
  const read = async () => {
    const { row, etag } = await files.get(file.id);
    return { fields: formOf(row as unknown as FileRecord), etag };
  };
  const { base, form, setForm, outcome, task } = useRecordForm<Form>({
    record: formOf(file),
    tidy: ({ name, title, description }) => ({
      name: name.trim(),
      title: title.trim(),
      description,
    }),
    read,
    write: async (changes, ifMatch) => {
      // An empty text is no title and no description.
      const data = Object.fromEntries(
        Object.entries(changes).map(([field, text]) => [field, text === "" ? null : text]),
      );
      await files.update(file.id, data, ifMatch === undefined ? {} : { ifMatch });
      await onChanged();
      return (await read()).fields;
    },
    pointers: ["/data/name", "/data/title", "/data/description"],
  });
  const writable = (["name", "title", "description"] as const).filter((field) =>
    mayUpdate(resource, field),
  );
  if (writable.length === 0) {
    return form.description === "" ? null : (
      <p className="whitespace-pre-wrap wrap-anywhere" dir="auto">
        {form.description}
      </p>
    );
  }
  const isChanged = Object.keys(changedFields(base, form)).length > 0;
  const labels = {
    name: t("name"),
    title: t("details.fileTitle"),
    description: t("details.description"),
  };
  return (
    <form onSubmit={task.submit} noValidate className="grid gap-3">
      {task.failure !== undefined && <Notice kind="danger">{task.failure}</Notice>}
      {outcome === "changed" && <Notice kind="info">{words("changedMeanwhile")}</Notice>}
      {outcome === "saved" && !isChanged && <Notice kind="ok">{words("saved")}</Notice>}
      {writable.map((field) => {
        const Input = field === "description" ? TextArea : TextField;
        return (
          <Input
            key={field}
            label={labels[field]}
            name={field}
            autoComplete="off"
            value={form[field]}
            onChange={(text) => setForm({ ...form, [field]: text })}
            fault={task.faultAt(`/data/${field}`)}
          />
        );
      })}
      {isChanged && (
        <div className="flex flex-wrap gap-2">
          <Button type="submit" kind="primary" isBusy={task.isBusy}>
            {words("save")}
          </Button>
          <Button onPress={() => setForm(base)}>{words("cancel")}</Button>
        </div>
      )}
    </form>
  );
}
