import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useDeferredValue, useMemo, useState } from "react";
import { useTranslations } from "use-intl";
import { FailureNotice } from "../shell/failure-notice.tsx";
import { personQuery } from "../shell/navigation.ts";
import { NewTokenDialog } from "../shell/new-token-dialog.tsx";
import { SearchField } from "../shell/search-field.tsx";
import { useTitle } from "../shell/use-title.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { Entries } from "../ui/entries.tsx";
import { Notice } from "../ui/notice.tsx";
import { PageHead, pageClasses } from "../ui/page-head.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { ToolButton } from "../ui/tool-button.tsx";
import { DocumentChoice } from "./document-choice.tsx";
import { OperationEntry } from "./operation-entry.tsx";
import { groupsOf } from "./operations.ts";
import { documentQuery } from "./reference-queries.ts";
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
