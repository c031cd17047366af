import { useTranslations } from "use-intl";
import { NameLink } from "../../shell/name-link.tsx";
import { type ListColumn, ListTable } from "../../ui/list-table.tsx";
import { structurePath } from "../model/paths.ts";
import type { MapGraph, MapKey, MapTable } from "./map-graph.ts";

interface Entry {
  readonly table: MapTable;
  readonly to: readonly MapKey[];
  readonly from: readonly MapKey[];
}

/** The map as a list: each table with those that it refers to, and those that refer to it. */
export function MapList({ graph }: { readonly graph: MapGraph }) {
  const t = useTranslations("schemaMap");
  const words = useTranslations("structure");
  const entries = graph.tables.map((table): { table: MapTable; to: MapKey[]; from: MapKey[] } => ({
    ...{ table, to: [], from: [] },
  }));
  for (const key of graph.keys) {
    entries[key.from]?.to.push(key);
    entries[key.to]?.from.push(key);
  }
  const columns: readonly ListColumn<Entry>[] = [
    {
      key: "table",
      label: words("table"),
      width: "sm:w-1/4",
      cell: ({ table }) => <TableLink table={table} />,
    },
    {
      key: "schema",
      label: words("schema"),
      width: "sm:w-32",
      cell: ({ table: { schema } }) => (
        <span dir="auto" title={schema}>
          {schema}
        </span>
      ),
    },
    {
      key: "to",
      label: t("refersTo"),
      cell: ({ to }) => <Relations graph={graph} keys={to} side="to" />,
    },
    {
      key: "from",
      label: t("referredToBy"),
      cell: ({ from }) => <Relations graph={graph} keys={from} side="from" />,
    },
  ];
  return (
    <ListTable
      label={t("map")}
      items={entries}
      columns={columns}
      keyOf={({ table }) => JSON.stringify([table.schema, table.name])}
    />
  );
}

/** The tables at the other side of foreign keys, each with the columns of the table that refers. */
function Relations(props: {
  readonly graph: MapGraph;
  readonly keys: readonly MapKey[];
  readonly side: "to" | "from";
}) {
  return (
    <ul className="grid">
      {props.keys.map((key) => {
        const table = props.graph.tables[key[props.side]];
        const columns = key.columns.join(", ");
        return (
          table !== undefined && (
            <li key={`${key.from} ${key.name}`} className="flex min-h-6 min-w-0 items-center gap-2">
              <TableLink table={table} />
              <span className="min-w-0 truncate text-2 text-ink-2" dir="auto" title={columns}>
                {columns}
              </span>
            </li>
          )
        );
      })}
    </ul>
  );
}

function TableLink({ table: { schema, name } }: { readonly table: MapTable }) {
  return <NameLink href={structurePath(schema, "table", name)} name={name} />;
}
