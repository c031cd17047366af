import { useTranslations } from "use-intl";
import type {
  NavigationColumn,
  NavigationRelation,
  NavigationResource,
} from "../../shell/navigation.ts";
import { referenceOf } from "../model/resource.ts";
import type { RowReferences } from "../model/use-row-titles.ts";
import { valueText } from "../values/show-value.ts";
import { type ValueColumn, valueKindOf } from "../values/value-kind.ts";
import { useWays, type Ways } from "../values/ways.ts";
import type { ConditionNode, FilterNode, GroupNode } from "./filter-tree.ts";
import {
  fieldOf,
  isTemplate,
  isVariable,
  literalOf,
  operandColumn,
  readSearchOperand,
  ruleOf,
} from "./operand.ts";
import { type FieldPath, pathNames, type Resources, resolveField } from "./resolve-field.ts";

type FilterSay = ReturnType<typeof useTranslations<"filter">>;

/** How filters are said in the person's language. */
export interface FilterWords {
  readonly t: FilterSay;
  readonly ways: Ways;
}

export function useFilterWords(): FilterWords {
  return { t: useTranslations("filter"), ways: useWays() };
}

const timeKinds: ReadonlySet<string> = new Set(["DATE", "TIME", "TIMESTAMP", "INSTANT"]);

/** Says a comparison: of times, before and after. An operator without words is shown as it is. */
export function operatorText(
  { t }: Pick<FilterWords, "t">,
  operator: string,
  column: ValueColumn | undefined,
): string {
  const isTime = column !== undefined && timeKinds.has(valueKindOf(column));
  if (isTime && t.has(`time.${operator}` as "time._lt")) return t(`time.${operator}` as "time._lt");
  const key = `operator.${operator}` as "operator._eq";
  return t.has(key) ? t(key) : operator;
}

/** Returns the name of a field, given its key, as people know it. */
type FieldNameOf = (key: string) => string;

/** Names the fields of a resource and of its related rows. */
export function fieldNamesOf(resource: NavigationResource, resources: Resources): FieldNameOf {
  return (key) => fieldText(resolveField(resource, resources, [key]), [key]);
}

/** Says a variable, such as today. */
export function variableText(
  { t }: Pick<FilterWords, "t">,
  variable: string,
  nameOf: FieldNameOf,
): string {
  const field = fieldOf(variable);
  if (field !== undefined) return t("otherField", { name: nameOf(field) });
  if (variable === "$NOW") return t("now");
  if (variable.startsWith("$USER.")) return t("mine", { column: variable.slice(6) });
  const key = `period.${variable.slice(8)}` as "period.today";
  if (t.has(key)) return t(key);
  // A period of the calendar.
  return variable.startsWith("$PERIOD.") ? variable.slice(8) : variable;
}

/** Says the value of a condition; the empty text if its comparison has none. */
export function operandText(
  words: FilterWords,
  { operator, operand, inside }: ConditionNode,
  column: ValueColumn | undefined,
  nameOf: FieldNameOf,
  titleOf: (value: unknown) => string | undefined = () => undefined,
): string {
  const rule = ruleOf(operator);
  if (operand === undefined || operand === null || rule?.operands === "BOOLEAN") return "";
  const shown =
    column === undefined || inside !== null ? undefined : operandColumn(column, operator);
  const say = (value: unknown): string => {
    if (isVariable(value)) return variableText(words, value, nameOf);
    if (isTemplate(value)) return value;
    const literal = literalOf(value);
    const title = titleOf(literal);
    if (title !== undefined) return title;
    if (shown === undefined)
      return typeof literal === "object" ? JSON.stringify(literal) : String(literal);
    return literal === "" ? `“${literal}”` : valueText(shown, literal, words.ways);
  };
  const search = operator === "_search" ? readSearchOperand(operand) : undefined;
  if (search !== undefined) {
    const { text, mode, config } = search;
    const options = [mode === "web" ? "" : words.t(`searchMode.${mode}`), config];
    const said = options.filter((one) => one !== "").join(", ");
    return said === "" ? say(text) : `${say(text)} (${said})`;
  }
  if (rule?.operands === "JSON" || !Array.isArray(operand)) return say(operand);
  // Each element of the list has commas itself.
  if (operand.some(Array.isArray)) return operand.map((array) => `(${say(array)})`).join(", ");
  return operand.map(say).join(rule?.operands === "TWO" ? " – " : ", ");
}

/** Says the field of a node: `Driver › Name`. */
export function fieldText(path: FieldPath | undefined, keys: readonly string[]): string {
  return path === undefined ? keys.join(".") : pathNames(path).join(" › ");
}

/** Counts the conditions below a node. */
export function countConditions(node: FilterNode): number {
  if (node.kind === "RELATED") return countConditions(node.group);
  if (node.kind !== "GROUP") return 1;
  return node.nodes.reduce((sum, inner) => sum + countConditions(inner), 0);
}

const joins = ["all", "any", "notAll", "none"] as const;

/** The ways in which a group joins its nodes. */
export type Join = (typeof joins)[number];

export function joinOf(group: { readonly join: "AND" | "OR"; readonly isNegated: boolean }): Join {
  if (group.join === "AND") return group.isNegated ? "notAll" : "all";
  return group.isNegated ? "none" : "any";
}

/** The choices of a group's join. */
export function joinOptions({ t }: Pick<FilterWords, "t">) {
  return joins.map((value) => ({ value, label: t(`group.${value}`) }));
}

/** Comparisons whose values are whole keys. */
const comparisons: ReadonlySet<string> = new Set(["_eq", "_neq", "_in", "_nin"]);

/** Returns the relation of a condition whose values are keys of other rows. */
export function referenceOfCondition(
  { operator, inside }: ConditionNode,
  resource: NavigationResource | undefined,
  column: NavigationColumn | null | undefined,
): NavigationRelation | undefined {
  const isKey = inside === null && comparisons.has(operator);
  if (!isKey || resource === undefined || column == null) return undefined;
  return referenceOf(resource, column);
}

/** A reference of several columns, each of which a condition of a filter compares. */
export interface CompositeCondition {
  readonly relation: NavigationRelation;
  readonly nodes: readonly ConditionNode[];
  /** In the order of the relation's columns. */
  readonly values: readonly unknown[];
}

/** Finds the conditions that together refer to one row by a key of several columns. */
export function compositesIn(
  { join, isNegated, nodes }: GroupNode,
  resource: NavigationResource,
): readonly CompositeCondition[] {
  if (join !== "AND" || isNegated) return [];
  const byName = new Map(
    nodes.flatMap((node) =>
      node.kind === "CONDITION" &&
      node.operator === "_eq" &&
      node.inside === null &&
      isLiteral(node.operand)
        ? [[node.keys.join("."), node] as const]
        : [],
    ),
  );
  const taken = new Set<string>();
  return resource.relations.flatMap((relation): CompositeCondition[] => {
    const { columns, foreignKey } = relation;
    if (foreignKey !== "OWN" || columns === null || columns.length < 2) return [];
    const own = columns.flatMap(({ from }) => (taken.has(from) ? [] : (byName.get(from) ?? [])));
    if (own.length < columns.length) return [];
    for (const { from } of columns) taken.add(from);
    return [{ relation, nodes: own, values: own.map(({ operand }) => literalOf(operand)) }];
  });
}

/** Returns the rows that the values of a filter refer to. */
export function referencesIn(
  tree: GroupNode,
  resource: NavigationResource,
  resources: Resources,
): readonly RowReferences[] {
  const found = new Map<string, RowReferences>();
  const add = (relation: NavigationRelation, values: readonly (readonly unknown[])[]) => {
    const target = resources.get(relation.resource.id);
    if (target === undefined || values.length === 0) return;
    const key = `${relation.name} ${target.id}`;
    const before = found.get(key)?.values ?? [];
    found.set(key, { relation, target, values: [...before, ...values] });
  };
  const visit = (node: FilterNode, from: NavigationResource): void => {
    if (node.kind === "GROUP") {
      for (const inner of node.nodes) visit(inner, from);
    } else if (node.kind === "RELATED") {
      const path = resolveField(from, resources, node.keys);
      if (path?.column === null) visit(node.group, path.resource);
    } else if (node.kind === "CONDITION") {
      const path = resolveField(from, resources, node.keys);
      const relation = referenceOfCondition(node, path?.resource, path?.column);
      if (relation !== undefined)
        add(
          relation,
          literalsOf(node.operand).map((value) => [value]),
        );
    }
  };
  visit(tree, resource);
  for (const { relation, values } of compositesIn(tree, resource)) add(relation, [values]);
  return [...found.values()];
}

function literalsOf(operand: unknown): readonly unknown[] {
  const list = Array.isArray(operand) ? operand : [operand];
  return list.filter(isLiteral).map(literalOf);
}

function isLiteral(value: unknown): boolean {
  return (
    value !== undefined &&
    value !== null &&
    typeof literalOf(value) !== "object" &&
    !isVariable(value) &&
    !isTemplate(value)
  );
}
