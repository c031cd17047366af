import { memo } from "react";
import { AppLink } from "../../shell/app-link.tsx";
import type { Box } from "../../ui/drawing/geometry.ts";
import { structurePath } from "../model/paths.ts";
import type { MapTable } from "./map-graph.ts";
import { type TableLook, tableSpace } from "./table-look.ts";

interface MapTablesProps {
  readonly tables: readonly MapTable[];
  readonly looks: readonly TableLook[];
  readonly boxes: readonly Box[];
  /** The table that is the tab stop. */
  readonly active: number;
  /** The full names of the tables, and how many keys each has. */
  readonly labels: readonly string[];
  readonly onActive: (table: number) => void;
}

/** The tables of the map, each a link to its page. One of them is a tab stop; the arrow keys lead to the others. */
export function MapTables(props: MapTablesProps) {
  const { tables, looks, boxes, active } = props;
  return tables.map((table, index) => {
    const [look, box] = [looks[index], boxes[index]];
    if (look === undefined || box === undefined) return null;
    return (
      <Table
        key={JSON.stringify([table.schema, table.name])}
        {...{ table, look, box, index }}
        label={props.labels[index] ?? table.name}
        isStop={index === active}
        onActive={props.onActive}
      />
    );
  });
}

interface TableProps {
  readonly table: MapTable;
  readonly look: TableLook;
  readonly box: Box;
  readonly index: number;
  readonly label: string;
  readonly isStop: boolean;
  readonly onActive: (table: number) => void;
}

const Table = memo(function Table({
  table,
  look,
  box,
  index,
  label,
  isStop,
  onActive,
}: TableProps) {
  const { side } = tableSpace;
  return (
    <AppLink
      href={structurePath(table.schema, "table", table.name)}
      data-table={index}
      tabIndex={isStop ? 0 : -1}
      draggable={false}
      dir="auto"
      onFocus={() => onActive(index)}
      className="group outline-none"
    >
      {/* The name of the link, and its tooltip. */}
      <title>{label}</title>
      <g transform={`translate(${Math.round(box.x)} ${Math.round(box.y)})`}>
        <rect
          width={look.width}
          height={look.height}
          rx="6"
          fill="var(--surface)"
          stroke="var(--line-strong)"
          className="group-hover:stroke-accent group-focus-visible:stroke-accent group-focus-visible:stroke-3"
        />
        <text x={side} y="21" fontSize="13" fontWeight="600" fill="var(--ink)" style={ownDirection}>
          {look.name}
        </text>
        {look.lines.map(({ text, y }) => (
          <text key={y} x={side} y={y} fontSize="12" fill="var(--ink-2)" style={ownDirection}>
            {text}
          </text>
        ))}
      </g>
    </AppLink>
  );
});

/** People's own names have a direction of their own. */
const ownDirection = { unicodeBidi: "plaintext" } as const;
