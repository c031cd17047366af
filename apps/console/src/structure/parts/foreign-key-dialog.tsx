import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../../shell/client.ts";
import { FindBox, type Found } from "../../shell/find-box.tsx";
import { Select } from "../../ui/select.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { useDraft } from "../draft/draft-context.ts";
import { columnModels } from "../model/column-model.ts";
import { createColumn, type OnDelete } from "../model/draft.ts";
import { addPart } from "../model/edit-draft.ts";
import { resourceQuery } from "../model/queries.ts";
import { PartDialog } from "./tab-parts.tsx";

const actions = ["NO ACTION", "RESTRICT", "CASCADE", "SET NULL", "SET DEFAULT"] as const;

/**
 * Adds a foreign key to the draft: the target by search, then a column for each column of its key. A key of one column can
 * get a new column.
 */
export function ForeignKeyDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTranslations("tableDraft");
  const { table, draft, change } = useDraft();
  const [target, setTarget] = useState<Target | undefined>();
  const [keyText, setKeyText] = useState<string | undefined>();
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({});
  const [typedName, setTypedName] = useState<string | undefined>();
  const [onDelete, setOnDelete] = useState<OnDelete>("NO ACTION");
  const { data: resource } = useQuery({
    ...resourceQuery(target?.id ?? ""),
    enabled: target !== undefined,
  });
  const keys = resource?.uniqueKeys ?? [];
  // A new table has foreign keys of one column.
  const usable = keys.filter(
    ({ length }, index) =>
      (table !== null || length === 1) &&
      keys.findIndex((other) => other.join() === keys[index]?.join()) === index,
  );
  const key = usable.find((one) => JSON.stringify(one) === keyText) ?? usable[0] ?? [];
  const columns = columnModels(table, draft).filter(
    ({ name, mark }) => name !== "" && mark !== "dropped",
  );
  const typeOf = (name: string) => resource?.columns.find((one) => one.name === name)?.dataType;
  const proposedName = (name: string) => `${singularOf(target?.name ?? "")}_${name}`;
  const ownOf = (name: string) =>
    chosen[name] ?? columns.find((one) => one.name === proposedName(name))?.id ?? "";
  const [first = ""] = key;
  const isNew = key.length === 1 && ownOf(first) === "";
  const newName = typedName ?? proposedName(first);
  return (
    <PartDialog
      title={t("addForeignKey")}
      isComplete={
        isNew ? newName !== "" : key.length > 0 && key.every((name) => ownOf(name) !== "")
      }
      onClose={onClose}
      onAdd={() => {
        if (target === undefined) return;
        const column = { ...createColumn(typeOf(first)), name: newName };
        const part = {
          ...{ id: crypto.randomUUID(), kind: "foreignKey" as const },
          columns: isNew ? [column.id] : key.map(ownOf),
          ...{ targetSchema: target.schema, targetTable: target.name },
          ...{ targetColumns: key, onDelete },
        };
        change((last) => addPart(isNew ? { ...last, added: [...last.added, column] } : last, part));
      }}
    >
      <TargetField
        target={target}
        onChange={(next) => {
          setTarget(next);
          setKeyText(undefined);
          setChosen({});
          setTypedName(undefined);
        }}
      />
      {resource !== undefined && usable.length === 0 && (
        <p className="text-danger">{t("targetWithoutKey")}</p>
      )}
      {usable.length > 1 && (
        <Select
          label={t("targetKey")}
          value={JSON.stringify(key)}
          options={usable.map((one) => ({
            ...{ value: JSON.stringify(one), label: one.join(", "), isName: true },
          }))}
          onChange={setKeyText}
        />
      )}
      {key.map((name) => (
        <Select
          key={name}
          label={t("columnFor", { name, type: typeOf(name) ?? "" })}
          value={ownOf(name)}
          options={[
            { value: "", label: t(key.length === 1 ? "newColumn" : "choose") },
            ...columns.map((one) => ({
              value: one.id,
              label: `${one.name} (${one.dataType})`,
              isName: true,
            })),
          ]}
          onChange={(id) => setChosen((last) => ({ ...last, [name]: id }))}
        />
      ))}
      {isNew && (
        <TextField
          label={t("nameOfNew")}
          name="column"
          autoComplete="off"
          value={newName}
          onChange={setTypedName}
        />
      )}
      <Select
        label={t("whenDeleted")}
        value={onDelete}
        options={actions.map((value) => ({ value, label: t(`onDelete.${value}`) }))}
        onChange={setOnDelete}
      />
    </PartDialog>
  );
}

/** The name of one row of a table, as far as the plural of English follows its rules. */
function singularOf(table: string): string {
  return table
    .replace(/ies$/, "y")
    .replace(/(ss|x|ch|sh)es$/, "$1")
    .replace(/(?<!s)s$/, "");
}

/** A table that a foreign key refers to. */
interface Target {
  readonly id: string;
  readonly schema: string;
  readonly name: string;
}

/** Finds the table that a foreign key refers to, in every schema. */
function TargetField(props: {
  readonly target: Target | undefined;
  readonly onChange: (target: Target) => void;
}) {
  const t = useTranslations("tableDraft");
  const words = useTranslations("manage");
  const { target } = props;
  return (
    <FindBox
      label={t("targetTable")}
      chosen={
        target === undefined
          ? undefined
          : { id: target.id, label: `${target.schema}.${target.name}` }
      }
      onChoose={({ id, label, detail = "" }) => props.onChange({ id, schema: detail, name: label })}
      findKey={["structure", "targets"]}
      find={findTables}
      placeholder={words("search")}
      isFirst
    />
  );
}

async function findTables(search: string, signal: AbortSignal): Promise<readonly Found[]> {
  const query = { kind: "TABLE", limit: 50, ...(search !== "" && { search }) } as const;
  const { data } = await client.admin.get("/resources", { query, signal });
  return data.map(({ id, schema, name }) => ({ id, label: name, detail: schema }));
}
