import { memo, type RefObject, useId } from "react";
import { useTranslations } from "use-intl";
import { fitText, textWidth } from "../../ui/drawing/fit-text.ts";
import type { Box, Point } from "../../ui/drawing/geometry.ts";
import { branchTitle } from "../model/step-summary.ts";
import type { Sign } from "../parts/sign.ts";
import { type GraphCard, toneColors } from "./graph-card.ts";
import { type GraphLabel, type GraphLayout, type GraphLine, labelSize } from "./layout-graph.ts";

interface GraphDrawingProps {
  readonly drawing: RefObject<SVGSVGElement | null>;
  readonly layout: GraphLayout;
  readonly cards: ReadonlyMap<string, GraphCard>;
  readonly scale: number;
  readonly chosen: string | undefined;
  /** The card that is moved, and how far. */
  readonly moved: (Point & { readonly key: string }) | undefined;
  readonly title: string;
  readonly isFaint: (line: GraphLine) => boolean;
}

/** The lines and cards of a graph as one drawing, which can be saved. The buttons lie over it. */
export function GraphDrawing(props: GraphDrawingProps) {
  const { layout, cards, scale, chosen, moved, isFaint } = props;
  const { width, height, boxes, lines, labels, frames } = layout;
  const arrow = useId();
  const labelText = useLabelText();
  return (
    <svg
      ref={props.drawing}
      xmlns="http://www.w3.org/2000/svg"
      aria-hidden="true"
      width={width * scale}
      height={height * scale}
      viewBox={`0 0 ${width} ${height}`}
      fontFamily="var(--font)"
      className="block print:size-full"
    >
      <title>{props.title}</title>
      <defs>
        {(["way", "handler"] as const).map((type) => (
          <marker
            key={type}
            id={`${arrow}-${type}`}
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="7"
            markerHeight="7"
            orient="auto"
          >
            <path d="M0 0.5 7 4 0 7.5z" fill={lineColors[type]} />
          </marker>
        ))}
      </defs>
      {frames.map(({ owner, x, y, width: wide, height: high }) => (
        <rect
          key={owner}
          {...{ x, y, width: wide, height: high }}
          rx="10"
          fill="none"
          stroke="var(--line-strong)"
          strokeDasharray="4 4"
        />
      ))}
      {lines.map((line, index) => (
        <path
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines are in the order of the steps
          key={index}
          d={pathOf(line.points)}
          fill="none"
          stroke={lineColors[line.type]}
          strokeWidth="1.5"
          strokeDasharray={line.type === "handler" ? "5 4" : undefined}
          opacity={isFaint(line) ? 0.35 : undefined}
          markerEnd={
            line.to === undefined
              ? undefined
              : `url(#${arrow}-${line.type === "handler" ? "handler" : "way"})`
          }
        />
      ))}
      {labels.map((label) => (
        <LineLabel key={label.branch.list} label={label} text={labelText(label)} />
      ))}
      {[...boxes].map(([key, box]) => {
        const card = cards.get(key);
        if (card === undefined) return null;
        const own = moved?.key === key ? moved : undefined;
        return (
          <Card key={key} card={card} box={box} x={own?.x} y={own?.y} isChosen={key === chosen} />
        );
      })}
    </svg>
  );
}

/** Returns the function that names a list of inner steps at its line. */
function useLabelText(): (label: GraphLabel) => string {
  const t = useTranslations("workflowEditor");
  return ({ branch: { keys, title, equals } }) =>
    equals === undefined
      ? branchTitle(keys, title)
      : t("case", { value: JSON.stringify(equals.value) ?? "" });
}

const lineColors: Readonly<Record<GraphLine["type"], string>> = {
  way: "var(--ink-3)",
  loop: "var(--ink-3)",
  handler: "var(--danger)",
};

const labelFont = '500 12px "Inter Variable", "Inter", sans-serif';

function LineLabel({ label, text }: { readonly label: GraphLabel; readonly text: string }) {
  const shown = fitText(text, labelFont, labelSize.width - 20);
  const width = Math.ceil(textWidth(shown, labelFont)) + 20;
  const isHandler = label.branch.type === "handler";
  return (
    <g transform={`translate(${label.x - width / 2} ${label.y - labelSize.height / 2})`}>
      <rect
        width={width}
        height={labelSize.height}
        rx="11"
        fill={isHandler ? "var(--danger-soft)" : "var(--sunken)"}
        stroke="var(--canvas)"
        strokeWidth="2"
      />
      <text
        x={width / 2}
        y="15"
        textAnchor="middle"
        fontSize="12"
        fontWeight="500"
        fill={isHandler ? "var(--danger)" : "var(--ink-2)"}
        style={ownDirection}
      >
        {shown}
      </text>
    </g>
  );
}

/** People's own names have a direction of their own. */
const ownDirection = { unicodeBidi: "plaintext" } as const;
/** React's types know `dir` of HTML alone. */
const ownName = { dir: "auto" };

const nameFont = '600 13px "Inter Variable", "Inter", sans-serif';
const textFont = '12px "Inter Variable", "Inter", sans-serif';
const side = 12;
/** Where the texts begin, right of the icon. */
const textX = 40;

interface CardProps {
  readonly card: GraphCard;
  readonly box: Box;
  readonly x: number | undefined;
  readonly y: number | undefined;
  readonly isChosen: boolean;
}

const Card = memo(function Card({ card, box, x = 0, y = 0, isChosen }: CardProps) {
  const { icon: Icon, name, text, state, detail, sign, isOff = false, isFaint = isOff } = card;
  const room = box.width - textX - side;
  const ink = isFaint ? "var(--ink-3)" : "var(--ink)";
  const second = isFaint ? "var(--ink-3)" : "var(--ink-2)";
  const tinted = state ?? sign;
  const detailWidth = detail === undefined ? 0 : textWidth(detail, textFont) + 12;
  return (
    <g
      transform={`translate(${box.x + x} ${box.y + y})`}
      opacity={x !== 0 || y !== 0 ? 0.7 : undefined}
    >
      <rect
        width={box.width}
        height={box.height}
        rx="8"
        fill="var(--surface)"
        stroke={
          tinted === undefined || tinted.tone === "plain"
            ? "var(--line-strong)"
            : toneColors[tinted.tone]
        }
        strokeDasharray={isFaint ? "4 3" : undefined}
        className={isChosen ? "fill-accent-soft stroke-accent stroke-2" : undefined}
      />
      <g transform="translate(14 12)" color={second}>
        <Icon size={16} />
      </g>
      <text
        {...ownName}
        x={textX}
        y="24"
        fontSize="13"
        fontWeight="600"
        fill={ink}
        textDecoration={isOff ? "line-through" : undefined}
        style={ownDirection}
      >
        {fitText(name, nameFont, sign === undefined ? room : room - 22)}
      </text>
      {sign !== undefined && (
        <g transform={`translate(${box.width - side - 16} 12)`} color={toneColors[sign.tone]}>
          <sign.icon size={16} />
        </g>
      )}
      <text x={textX} y="42" fontSize="12" fill={second} style={ownDirection}>
        {/* The button of the menu has its place behind it. */}
        {fitText(text, textFont, state === undefined ? room - 20 : room)}
      </text>
      {state !== undefined && (
        <StateLine state={state} width={box.width - textX - side - detailWidth} />
      )}
      {detail !== undefined && (
        <text x={box.width - side} y="66" textAnchor="end" fontSize="12" fill={second}>
          {detail}
        </text>
      )}
    </g>
  );
});

function StateLine({ state, width }: { readonly state: Sign; readonly width: number }) {
  return (
    <>
      <g transform={`translate(${textX} 55)`} color={toneColors[state.tone]}>
        <state.icon size={14} />
      </g>
      <text x={textX + 19} y="66" fontSize="12" fill={toneColors[state.tone]}>
        {fitText(state.text, textFont, width - 19)}
      </text>
    </>
  );
}

const corner = 8;

/** A line through points at right angles, with rounded corners. */
function pathOf(points: readonly Point[]): string {
  return points
    .map((point, index) => {
      const [before, next] = [points[index - 1], points[index + 1]];
      if (before === undefined) return `M${at(point)}`;
      if (next === undefined) return `L${at(point)}`;
      return `L${at(towards(point, before))}Q${at(point)} ${at(towards(point, next))}`;
    })
    .join("");
}

/** The point near a corner on the way to another one. */
function towards(from: Point, to: Point): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  if (length === 0) return from;
  const part = Math.min(corner, length / 2) / length;
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
}

const at = ({ x, y }: Point): string => `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`;
