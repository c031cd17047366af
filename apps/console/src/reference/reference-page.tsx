import type { Document } from "@rowhouse/client/openapi";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../shell/client.ts";
import { FailureNotice } from "../shell/failure-notice.tsx";
import { personQuery } from "../shell/navigation.ts";
import { NewTokenDialog } from "../shell/new-token-dialog.tsx";
import { SearchField } from "../shell/search-field.tsx";
import { useTitle } from "../shell/use-title.ts";
import { classes } from "../ui/classes.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { Entries } from "../ui/entries.tsx";
import { ChevronRight } from "../ui/icons.generated.ts";
import { Notice } from "../ui/notice.tsx";
import { PageHead, pageClasses } from "../ui/page-head.tsx";
import { Select } from "../ui/select.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { ToolButton } from "../ui/tool-button.tsx";
import { OperationDetails } from "./operation-details.tsx";
import { groupsOf, type Operation } from "./operations.ts";
import type { ReferenceSearch } from "./reference-search.ts";

const route = getRouteApi("/frame/admin/reference");

/** The operations of the APIs: what they take and return, with requests to copy. */
export function ReferencePage() {
  const t = useTranslations("reference");
  const words = useTranslations("manage");
  const { of = "own", search = "", open } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: person } = useQuery(personQuery);
  const { data: document, error, refetch } = useQuery(documentQuery(of));
  const [isMaking, make] = useState(false);
  // In memory alone, and for as long as the page is open.
  const [secret, setSecret] = useState<string>();
  const wanted = useDeferredValue(search);
  const groups = useMemo(
    () => (document === undefined ? [] : groupsOf(document, wanted)),
    [document, wanted],
  );
  useTitle(t("title"));
  const show = (changes: ReferenceSearch) =>
    void navigate({ search: (last) => ({ ...last, ...changes }), replace: true });
  return (
    <div className={pageClasses}>
      <PageHead title={t("title")} text={t("text")}>
        {person?.mayCreateTokens === true && (
          <ToolButton onClick={() => make(true)}>{t("makeToken")}</ToolButton>
        )}
      </PageHead>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <DocumentChoice value={of} onChange={(value) => show({ of: value, open: undefined })} />
        <SearchField label={t("find")} value={search} onChange={(text) => show({ search: text })} />
      </div>
      {secret !== undefined && <Notice kind="info">{t("secretShown")}</Notice>}
      {error !== null && document === undefined && (
        <FailureNotice error={error} onRetry={() => void refetch()} />
      )}
      {document === undefined && error === null && <Skeleton label={words("loading")} rows={10} />}
      {document !== undefined && groups.length === 0 && (
        <EmptyState title={words("nothingFound")} />
      )}
      {document !== undefined &&
        groups.map(({ name, operations }) => (
          <section key={name} aria-label={name} className="grid gap-2">
            <h2 className="font-semibold text-4 wrap-anywhere">
              <bdi>{name}</bdi>
            </h2>
            <Entries>
              {operations.map((operation) => (
                <OperationEntry
                  key={operation.key}
                  {...{ document, operation, secret }}
                  isOpen={operation.key === open}
                  onToggle={() =>
                    show({ open: operation.key === open ? undefined : operation.key })
                  }
                />
              ))}
            </Entries>
          </section>
        ))}
      {isMaking && (
        <NewTokenDialog
          isAdministrator={person?.isAdministrator === true}
          onMade={setSecret}
          onClose={() => make(false)}
        />
      )}
    </div>
  );
}

const documents = ["own", "admin", "app"] as const;

interface DocumentChoiceProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The choice of a document: one's own, those of the administration, or that of a role. */
function DocumentChoice({ value, onChange }: DocumentChoiceProps) {
  const t = useTranslations("reference");
  const { data: roles = [] } = useQuery(referenceRolesQuery);
  return (
    <Select
      label={t("document")}
      value={value}
      options={[
        ...documents.map((one) => ({ value: one as string, label: t(`documents.${one}`) })),
        ...roles.map(({ id, name }) => ({
          value: id,
          label: t("documents.role", { name }),
          isName: true,
        })),
      ]}
      onChange={onChange}
    />
  );
}

/** `GET /admin/api/roles`: the roles whose document can be read. */
const referenceRolesQuery = queryOptions({
  queryKey: ["reference", "roles"],
  queryFn: async ({ signal }) =>
    (await client.admin.get("/roles", { query: { limit: 1000 }, signal })).data,
});

/**
 * An OpenAPI document: that of the Admin API, of the App API, of everything that one may call oneself, or of the Data API
 * as the members of a role see it.
 *
 * @param of `admin`, `app` or `own`, or the id of a role
 */
function documentQuery(of: string) {
  return queryOptions({
    queryKey: ["reference", "document", of],
    // Tables, grants and exposure change on other pages.
    staleTime: 0,
    queryFn: async ({ signal }): Promise<Document> =>
      (await loadDocument(of, signal)) as unknown as Document,
  });
}

function loadDocument(of: string, signal: AbortSignal): Promise<object> {
  const query = { exports: "true" } as const;
  if (of === "admin") return client.admin.get("/openapi", { query, signal });
  if (of === "app") return client.app.get("/openapi", { query, signal });
  if (of === "own") return client.api.get("/openapi", { query, signal });
  return client.admin.get("/openapi/data", { query: { ...query, role: of }, signal });
}

interface OperationEntryProps {
  readonly document: Document;
  readonly operation: Operation;
  readonly isOpen: boolean;
  readonly secret: string | undefined;
  readonly onToggle: () => void;
}

/** An operation in the list; its details are made when it opens. */
function OperationEntry(props: OperationEntryProps) {
  const { document, operation, isOpen, secret, onToggle } = props;
  const { method, path, object } = operation;
  const place = useRef<HTMLLIElement>(null);
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    // The address of the page opens it, possibly far down in the list.
    if (wasOpen.current) place.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <li ref={place} className="border-line border-b last:border-b-0">
      <h3>
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={onToggle}
          className="flex w-full flex-wrap items-baseline gap-x-3 gap-y-0.5 px-4 py-2 text-left hover:bg-sunken"
        >
          <ChevronRight
            size={14}
            aria-hidden="true"
            className={classes("shrink-0 self-center text-ink-2", isOpen && "rotate-90")}
          />
          <code className="w-14 shrink-0 font-mono text-2 font-semibold text-accent">{method}</code>
          <code className="min-w-0 font-mono wrap-anywhere">{path}</code>
          <span lang="en" className="min-w-0 text-2 text-ink-2">
            {object.summary}
          </span>
        </button>
      </h3>
      {isOpen && <OperationDetails document={document} operation={operation} secret={secret} />}
    </li>
  );
}
