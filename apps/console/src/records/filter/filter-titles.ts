import type {
  NavigationColumn,
  NavigationRelation,
  NavigationResource,
} from "../../shell/navigation.ts";
import { referenceOf } from "../model/resource.ts";
import type { RowReferences } from "../model/use-row-titles.ts";
import type { ConditionNode, FilterNode, GroupNode } from "./filter-tree.ts";
import { isTemplate, isVariable, literalOf } from "./operand.ts";
import { type Resources, resolveField } from "./resolve-field.ts";

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
