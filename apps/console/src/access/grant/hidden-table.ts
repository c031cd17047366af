import type { FilterNode, Where } from "../../records/filter/filter-tree.ts";
import { readWhere } from "../../records/filter/read-where.ts";
import { type Resources, resolveField } from "../../records/filter/resolve-field.ts";
import type { FilterResource } from "../../records/filter/use-filter-resource.ts";
import type { NavigationResource } from "../../shell/navigation.ts";

/**
 * Whether a condition uses a related table that the navigation does not have. A grant may use tables that are not
 * exposed, but the Data API cannot count rows by them.
 */
export function usesHiddenTable({ resource, resources }: FilterResource, where: Where): boolean {
  return isHidden(readWhere(where), resource, new Map(resources.map((one) => [one.id, one])));
}

function isHidden(node: FilterNode, resource: NavigationResource, resources: Resources): boolean {
  if (node.kind === "UNKNOWN") return false;
  if (node.kind === "GROUP") return node.nodes.some((one) => isHidden(one, resource, resources));
  const target = resolveField(resource, resources, node.keys)?.resource;
  if (node.kind === "RELATED") {
    return target === undefined || isHidden(node.group, target, resources);
  }
  return target === undefined && node.keys.join(".").includes(".");
}
