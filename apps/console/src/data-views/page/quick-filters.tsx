import { writeName } from "@rowhouse/access/written-name";
import { useMemo, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { titleOf } from "../../records/model/resource.ts";
import { readingColumns } from "../../records/readings/reading-columns.ts";
import type { Filter } from "../../records/rows/rows-address.ts";
import { valueText } from "../../records/values/show-value.ts";
import { valueKindOf } from "../../records/values/value-kind.ts";
import { useWays } from "../../records/values/ways.ts";
import type { NavigationColumn, NavigationResource } from "../../shell/navigation.ts";
import { ChevronDown } from "../../ui/icons.generated.ts";
import { OpenMenu } from "../../ui/menu.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import type { ViewAnswer } from "../model/open-view.ts";

/** Columns that have a quick filter. */
const filtersMax = 3;

interface QuickFiltersProps {
  readonly answer: ViewAnswer;
  readonly resource: NavigationResource;
  readonly where: Filter | undefined;
  readonly onChange: (where: Filter | undefined) => void;
}

/** Filters by one value of a column with few of them: an enum, or yes and no. */
export function QuickFilters({ answer, resource, where, onChange }: QuickFiltersProps) {
  const columns = useMemo(
    () =>
      [...readingColumns(answer.data, resource).values()]
        .map(({ column }) => column)
        .filter((column) => resource.columns.includes(column))
        .filter((column) => ["ENUM", "BOOLEAN"].includes(valueKindOf(column)))
        .slice(0, filtersMax),
    [answer, resource],
  );
  return columns.map((column) => {
    const name = writeName(column.name);
    const { [name]: own, ...others } = where ?? {};
    const set = (value: unknown) => {
      const next = value === undefined ? others : { ...others, [name]: { _eq: value } };
      onChange(Object.keys(next).length === 0 ? undefined : next);
    };
    return <QuickFilter key={name} column={column} chosen={equalTo(own)} onChoose={set} />;
  });
}

/** Returns the value of a condition that is one of equality; undefined for any other. */
function equalTo(condition: unknown): unknown {
  if (typeof condition !== "object" || condition === null) return undefined;
  const [entry, ...more] = Object.entries(condition);
  return entry?.[0] === "_eq" && more.length === 0 ? entry[1] : undefined;
}

function QuickFilter(props: {
  readonly column: NavigationColumn;
  /** Undefined for any value. */
  readonly chosen: unknown;
  readonly onChoose: (value: unknown) => void;
}) {
  const { column, chosen, onChoose } = props;
  const t = useTranslations("dataView");
  const ways = useWays();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const title = titleOf(column);
  const values: readonly unknown[] = column.values ?? [true, false];
  const entry = (value: unknown, id: string, label: string) => ({
    ...{ id, label },
    ...(value === chosen ? { hint: "✓" } : {}),
    onPress: () => onChoose(value),
  });
  return (
    <>
      <ToolButton
        ref={button}
        kind={chosen === undefined ? "bare" : "plain"}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
      >
        <span dir="auto" className="max-w-40 truncate">
          {chosen === undefined ? title : `${title}: ${valueText(column, chosen, ways)}`}
        </span>
        <ChevronDown size={13} aria-hidden="true" />
      </ToolButton>
      {isOpen && (
        <OpenMenu
          label={title}
          beside={button}
          onClose={() => setOpen(false)}
          groups={[
            {
              id: "values",
              entries: [
                entry(undefined, "any", t("any")),
                ...values.map((value) =>
                  entry(value, `value ${String(value)}`, valueText(column, value, ways)),
                ),
              ],
            },
          ]}
        />
      )}
    </>
  );
}
