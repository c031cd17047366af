import { useMemo } from "react";
import { useTranslations } from "use-intl";
import { FilterBar } from "../../../records/filter/filter-bar.tsx";
import type { OperandTemplateProps } from "../../../records/filter/filter-edit.ts";
import type { Where } from "../../../records/filter/filter-tree.ts";
import { isObject } from "../../../records/filter/read-where.ts";
import { useFilterResource } from "../../../records/filter/use-filter-resource.ts";
import { useOwnWays, WaysProvider } from "../../../records/values/ways.ts";
import type { ControlProps } from "../control-props.ts";
import { ExpressionField } from "../expression-field.tsx";
import { useFaults } from "../form-context.ts";
import { JsonField } from "../json-field.tsx";
import { useTable } from "../use-table.ts";

/** A filter on the rows of the step's table, in the builder of the grid; values may be templates. */
export function FilterControl(props: ControlProps) {
  const { pointer, value, onChange } = props;
  const t = useTranslations("workflowForm.table");
  const ways = useOwnWays();
  const { all, entry } = useTable();
  const { found } = useFilterResource(entry?.id);
  const faults = useFaults(pointer);
  const shown = useMemo(
    () =>
      faults.map((fault) => ({
        ...fault,
        path: `/data/where${fault.path.slice(pointer.length)}`,
      })),
    [faults, pointer],
  );
  const where = useMemo(() => (isObject(value) ? value : undefined), [value]);
  if (all !== undefined && entry === undefined) {
    return <JsonField {...props} isOptional />;
  }
  if (found === undefined) return <p className="text-ink-2">{t("loading")}</p>;
  return (
    <WaysProvider value={ways}>
      <FilterBar
        resource={found.resource}
        resources={found.resources}
        where={where}
        onChange={(next: Where | undefined) => onChange(next)}
        faults={shown}
        Template={OperandTemplate}
      />
    </WaysProvider>
  );
}

function OperandTemplate({ label, text, onChange }: OperandTemplateProps) {
  return <ExpressionField kind="TEMPLATE" isLine label={label} text={text} onChange={onChange} />;
}
