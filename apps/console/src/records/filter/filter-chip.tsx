import type { NavigationRelation, NavigationResource } from "../../shell/navigation.ts";
import { classes } from "../../ui/classes.ts";
import { X } from "../../ui/icons.generated.ts";
import type { RowTitleOf } from "../model/use-row-titles.ts";
import { type FilterNode, nodesOf } from "./filter-tree.ts";
import {
  countConditions,
  type FilterWords,
  fieldNamesOf,
  fieldText,
  joinOf,
  operandText,
  operatorText,
  referenceOfCondition,
  useFilterWords,
} from "./filter-words.ts";
import { type Resources, resolveField } from "./resolve-field.ts";

interface FilterChipProps {
  readonly node: FilterNode;
  readonly resource: NavigationResource;
  readonly resources: Resources;
  readonly faults: ReadonlyMap<string, string>;
  readonly titleOf: RowTitleOf;
  /** The row that this condition and others refer to together. */
  readonly composite?:
    | { readonly relation: NavigationRelation; readonly title: string }
    | undefined;
  readonly onOpen: () => void;
  readonly onRemove: () => void;
}

/** One part of a filter: its field, comparison and value; of groups, how many conditions they have. */
export function FilterChip(props: FilterChipProps) {
  const { node, resource, resources, faults, titleOf, composite, onOpen, onRemove } = props;
  const words = useFilterWords();
  const { t } = words;
  const parts =
    composite === undefined
      ? partsOf(node, resource, resources, words, titleOf)
      : [composite.relation.label, operatorText(words, "_eq", undefined), composite.title];
  const text = parts.join(" ");
  const fault = [...nodesOf(node)].map(({ id }) => faults.get(id)).find((one) => one !== undefined);
  const edge = fault === undefined ? "border-accent-line" : "border-danger";
  return (
    <span
      className={classes(
        "inline-flex h-6 max-w-full min-w-0 overflow-hidden rounded-control border bg-accent-soft text-2",
        edge,
      )}
      title={fault ?? text}
    >
      <button
        type="button"
        aria-haspopup="dialog"
        aria-description={fault}
        onClick={onOpen}
        className="flex min-w-0 items-stretch text-left focus-visible:-outline-offset-2"
      >
        <span className="sr-only">{t("change")} </span>
        {parts.map((part, index) => (
          <span
            key={part + String(index)}
            dir="auto"
            className={classes(
              "truncate px-2 leading-5.5",
              index === 0 ? "shrink-0 max-w-60 font-medium" : "border-accent-line border-l",
              index === 1 && "shrink-0 text-ink-2",
              index === 2 && "max-w-60",
            )}
          >
            {part}{" "}
          </span>
        ))}
      </button>
      <button
        type="button"
        aria-label={t("remove", { text })}
        onClick={onRemove}
        className="grid w-6 shrink-0 place-items-center border-accent-line border-l text-ink-2 hover:text-ink focus-visible:-outline-offset-2"
      >
        <X size={12} aria-hidden="true" />
      </button>
    </span>
  );
}

function partsOf(
  node: FilterNode,
  resource: NavigationResource,
  resources: Resources,
  words: FilterWords,
  titleOf: RowTitleOf,
): readonly string[] {
  const { t } = words;
  if (node.kind === "GROUP") {
    return [t(`group.${joinOf(node)}`), t("conditions", { count: countConditions(node) })];
  }
  if (node.kind === "UNKNOWN") return [node.keys.join("."), t("asText")];
  const path = resolveField(resource, resources, node.keys);
  const field = fieldText(path, node.keys);
  if (node.kind === "RELATED") {
    const target = path?.column === null ? path.resource : undefined;
    const [only, ...more] = node.group.nodes;
    const inner =
      target !== undefined && only?.kind === "CONDITION" && more.length === 0
        ? partsOf(only, target, resources, words, titleOf).join(" ")
        : t("conditions", { count: countConditions(node) });
    return [field, t(`quantifierShort.${node.quantifier}`), inner];
  }
  const column = path?.column ?? undefined;
  const shown = node.inside === null ? field : `${field} › ${node.inside}`;
  const isNot = node.operand === false || node.operand === "false";
  const operator =
    isNot && node.operator === "_null"
      ? "_nnull"
      : isNot && node.operator === "_nnull"
        ? "_null"
        : node.operator;
  const relation = referenceOfCondition(node, path?.resource, column);
  const value = operandText(words, node, column, fieldNamesOf(resource, resources), (literal) =>
    relation === undefined ? undefined : titleOf(relation, [literal]),
  );
  const said = operatorText(words, operator, node.inside === null ? column : undefined);
  return value === "" ? [shown, said] : [shown, said, value];
}
