import type { Point } from "./geometry.ts";
import type { MapGraph } from "./map-graph.ts";

interface MapLinesProps {
  readonly graph: MapGraph;
  readonly lines: readonly (readonly Point[])[];
  /** The table whose lines stand out. */
  readonly active: number | undefined;
}

const arrow = "schema-map-arrow";

/** The names in the tooltip are those of the person's own data. React's types know `dir` of HTML alone. */
const ownNames = { dir: "auto" };

/** The lines of the foreign keys, with an arrow at the table that each refers to. */
export function MapLines({ graph, lines, active }: MapLinesProps) {
  return (
    <>
      <defs>
        <marker
          id={arrow}
          viewBox="0 0 8 8"
          refX="8"
          refY="4"
          markerWidth="8"
          markerHeight="8"
          orient="auto"
        >
          <path d="M0 0 8 4 0 8z" fill="var(--ink-3)" />
        </marker>
      </defs>
      {graph.keys.map((key, index) => {
        const isActive = key.from === active || key.to === active;
        return (
          <path
            // Two tables can have keys of the same name.
            key={`${key.from} ${key.name}`}
            d={pathOf(lines[index] ?? [])}
            fill="none"
            stroke="var(--ink-3)"
            strokeWidth="1.25"
            {...ownNames}
            markerEnd={`url(#${arrow})`}
            className={isActive ? "stroke-accent stroke-2" : undefined}
          >
            <title>{keyText(graph, index)}</title>
          </path>
        );
      })}
    </>
  );
}

/** A foreign key in words: its columns, and those that they refer to. */
function keyText({ tables, keys }: MapGraph, index: number): string {
  const key = keys[index];
  if (key === undefined) return "";
  const side = (table: number, columns: readonly string[]) =>
    `${tables[table]?.name}.${columns.join(", ")}`;
  return `${side(key.from, key.columns)} → ${side(key.to, key.targetColumns)}`;
}

/** A line through points with rounded corners. */
function pathOf(points: readonly Point[]): string {
  const [first, ...others] = points;
  const last = others.pop();
  if (first === undefined || last === undefined) return "";
  const steps = others.map((point, index) => {
    const next = others[index + 1] ?? last;
    const end =
      index === others.length - 1 ? last : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 };
    return `Q${at(point)} ${at(end)}`;
  });
  return `M${at(first)} ${steps.length === 0 ? `L${at(last)}` : steps.join(" ")}`;
}

const at = ({ x, y }: Point): string => `${Math.round(x)} ${Math.round(y)}`;
