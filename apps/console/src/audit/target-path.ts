import { kindFacts } from "../kinds/kinds.generated.ts";
import type { LogEntry } from "./audit-search.ts";

/** The address of the page of an entry's target; undefined if it is deleted or has no page. */
export function targetPath({ targetKind, targetId, names }: LogEntry): string | undefined {
  if (targetKind === "settings") return "/admin/settings";
  if (targetKind === "sealed_values") return "/admin/settings/sealed-values";
  const { target, parentId, relation } = names;
  if (targetKind === "run" || targetKind === "workflow_sample") {
    if (parentId === null) return undefined;
    return `/admin/workflows/${parentId}${targetKind === "run" ? `/runs/${targetId}` : ""}`;
  }
  if (target === null || targetId === null) return undefined;
  const id = encodeURIComponent(targetId);
  switch (targetKind) {
    case "role_member":
      return parentId === null ? undefined : `/admin/people/roles/${parentId}`;
    case "token":
      return parentId === null ? undefined : `/admin/people/users/${parentId}`;
    case "grant":
      return `/admin/access/grants/${id}`;
    case "resource": {
      if (relation === null) return undefined;
      const { schema, name, kind } = relation;
      return `/admin/structure/${encodeURIComponent(schema)}/${kind.toLowerCase()}/${encodeURIComponent(name)}`;
    }
    case "schema":
      return `/admin/structure?schema=${id}`;
    case "invitation":
      return "/admin/people/invitations";
    case "template":
      return `/admin/settings/templates/${id}`;
    case "dashboard":
      return `/admin/dashboards/${id}`;
    case "data_view":
      return `/admin/data-views/${id}`;
    case "workflow":
      return `/admin/workflows/${id}`;
    case "provider_secret":
      return "/admin/people/providers";
    case "workflow_secret":
      return `/admin/workflows/secrets?search=${id}`;
    case "oauth_client":
      return "/admin/mcp/clients";
    default:
      return isKind(targetKind) ? kindFacts[targetKind].page.replace("{id}", id) : undefined;
  }
}

function isKind(name: string): name is keyof typeof kindFacts {
  return Object.hasOwn(kindFacts, name);
}
