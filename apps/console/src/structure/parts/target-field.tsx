import { useTranslations } from "use-intl";
import { client } from "../../shell/client.ts";
import { FindBox, type Found } from "../../shell/find-box.tsx";

/** A table that a foreign key refers to. */
export interface Target {
  readonly id: string;
  readonly schema: string;
  readonly name: string;
}

/** Finds the table that a foreign key refers to, in every schema. */
export function TargetField(props: {
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
