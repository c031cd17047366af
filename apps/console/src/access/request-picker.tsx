import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { searchFilter } from "../records/editors/row-picker.tsx";
import { readRecordPath, recordPath } from "../records/model/record-path.ts";
import { fieldsWithTitle, recordTitle } from "../records/model/record-title.ts";
import { addressOf, keyOf, keysFilter, type Row } from "../records/model/resource.ts";
import { useOwnWays } from "../records/values/ways.ts";
import { client } from "../shell/client.ts";
import { FindBox, type Found } from "../shell/find-box.tsx";
import { type NavigationResource, navigationQuery } from "../shell/navigation.ts";
import { type ResourceEntry, resourceName, resourcesQuery } from "../shell/resource-queries.ts";
import { ToolButton } from "../ui/tool-button.tsx";

interface RequestPickerProps {
  /** Path and query of a request to the Data API; any other text names no table. */
  readonly path: string;
  readonly fault?: string | undefined;
  /** Whether the request concerns a present row. */
  readonly hasRow?: boolean;
  readonly onChange: (path: string) => void;
}

const shownMax = 60;

/** The table and the row of a request, chosen by their names. */
export function RequestPicker({ path, fault, hasRow = true, onChange }: RequestPickerProps) {
  const t = useTranslations("access");
  const { data: resources = [] } = useQuery(resourcesQuery);
  const { data: navigation } = useQuery(navigationQuery);
  const resource = resources.find((one) => isOf(path, one));
  const readable = navigation?.resources.find(
    ({ id, actions, primaryKey }) =>
      id === resource?.id && actions.includes("READ") && primaryKey.length > 0,
  );
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <FindBox
        label={t("explain.table")}
        fault={fault}
        chosen={resource === undefined ? undefined : foundOf(resource)}
        placeholder={t("grant.choose")}
        findKey={["access", "tables", String(resources.length)]}
        find={(text) => Promise.resolve(findResources(resources, text))}
        onChoose={({ id }) => {
          const chosen = resources.find((one) => one.id === id);
          if (chosen !== undefined) onChange(pathOf(chosen));
        }}
      />
      {hasRow && resource !== undefined && readable !== undefined && (
        <RowBox key={readable.id} resource={readable} path={path} onChange={onChange} />
      )}
    </div>
  );
}

/** What only experts set, such as the path itself, folded away unless the pickers cannot show it. */
export function ExpertFields(props: { readonly isOpen: boolean; readonly children: ReactNode }) {
  const t = useTranslations("access");
  return (
    <details open={props.isOpen} className="group">
      <summary className="cursor-pointer text-ink-2 hover:text-ink">{t("explain.expert")}</summary>
      <div className="mt-3 grid gap-4">{props.children}</div>
    </details>
  );
}

function RowBox(props: {
  readonly resource: NavigationResource;
  readonly path: string;
  readonly onChange: (path: string) => void;
}) {
  const { resource, path, onChange } = props;
  const t = useTranslations("access");
  const ways = useOwnWays();
  const [ownPath = ""] = path.split("?");
  const address = readRecordPath(ownPath.replace(/^\/api\//, ""), [resource]);
  const fields = fieldsWithTitle(resource, resource.primaryKey);
  const foundRow = (row: Row): Found[] => {
    const key = keyOf(resource, row);
    if (key === null) return [];
    const text = recordTitle(resource, row, ways);
    const id = `/api/${recordPath(resource, key)}`;
    return text !== undefined
      ? [{ id, label: text, detail: key.join(", ") }]
      : [{ id, label: key.join(", ") }];
  };
  const { data: present } = useQuery({
    queryKey: ["access", "row", resource.id, address?.key],
    enabled: address !== null,
    queryFn: async ({ signal }) => {
      const where = keysFilter(resource, [address?.key ?? []]);
      const page = await client.from(addressOf(resource)).list({ fields, where, limit: 1, signal });
      return (page.rows as readonly Row[]).flatMap(foundRow)[0] ?? null;
    },
  });
  const key = address?.key.join(", ");
  return (
    <div className="grid gap-1.5">
      <FindBox
        label={t("explain.row")}
        chosen={key === undefined ? undefined : (present ?? { id: ownPath, label: key })}
        placeholder={t("explain.rowPlaceholder")}
        findKey={["access", "rows", resource.id]}
        find={async (text, signal) => {
          const pairs = resource.primaryKey.map((to) => ({ to }));
          const where = searchFilter(resource, pairs, text);
          const options = { fields, limit: 20, signal, ...(where === undefined ? {} : { where }) };
          const { rows } = await client.from(addressOf(resource)).list(options);
          return (rows as readonly Row[]).flatMap(foundRow);
        }}
        onChoose={({ id }) => onChange(id)}
      />
      {address !== null && (
        <ToolButton
          kind="bare"
          className="-ml-2.5 justify-self-start"
          onClick={() => onChange(pathOf(resource))}
        >
          {t("explain.allRows")}
        </ToolButton>
      )}
    </div>
  );
}

type Named = Pick<ResourceEntry, "schema" | "kind" | "name">;

/** The path of the rows of a table or view in the Data API. */
function pathOf({ schema, kind, name }: Named): string {
  return `/api/${[schema, kind.toLowerCase(), name].map(encodeURIComponent).join("/")}`;
}

/** Whether a request is one for a table or view. */
export function isOf(path: string, resource: Named): boolean {
  const own = pathOf(resource);
  return path === own || path.startsWith(`${own}/`) || path.startsWith(`${own}?`);
}

/** Whether the pickers show all that a request has. */
export function isPicked(path: string): boolean {
  return path === "" || /^\/api\/[^/?]+\/(?:table|view)\/[^/?]+(?:\/[^/?]+)?$/.test(path);
}

function foundOf(resource: ResourceEntry): Found {
  const { id, label } = resource;
  const name = resourceName(resource);
  return label === null ? { id, label: name } : { id, label: name, detail: label };
}

function findResources(resources: readonly ResourceEntry[], text: string): readonly Found[] {
  const wanted = text.toLowerCase();
  return resources
    .filter((one) => `${resourceName(one)} ${one.label ?? ""}`.toLowerCase().includes(wanted))
    .slice(0, shownMax)
    .map(foundOf);
}
