import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useFilterResource } from "../../records/filter/use-filter-resource.ts";
import { useOwnWays, WaysProvider } from "../../records/values/ways.ts";
import { AppLink, useOpen } from "../../shell/app-link.tsx";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { resourceName, resourcesQuery } from "../../shell/resource-queries.ts";
import { rolesQuery } from "../../shell/roles-query.ts";
import { useTitle } from "../../shell/use-title.ts";
import { linkClasses } from "../../ui/link-classes.ts";
import { Notice } from "../../ui/notice.tsx";
import { PageHead, pageClasses } from "../../ui/page-head.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { accessPath, grantPath } from "../access-paths.ts";
import { type Grant, isExposedFor } from "../access-queries.ts";
import { DeleteGrant } from "./delete-grant.tsx";
import { draftOf, type GrantDraft } from "./grant-draft.ts";
import { GrantForm } from "./grant-form.tsx";
import { GrantSubject } from "./grant-subject.tsx";
import { useMembers } from "./use-members.ts";
import { useSaveGrant } from "./use-save-grant.ts";

interface GrantViewProps {
  /** The stored grant; undefined for a new one. */
  readonly grant: Grant | undefined;
  readonly first: GrantDraft;
}

/** The page of a grant: who may do what, its terms, and its deletion. */
export function GrantView({ grant, first }: GrantViewProps) {
  const t = useTranslations("access");
  const words = useTranslations("manage");
  const ways = useOwnWays();
  const open = useOpen();
  const [base, setBase] = useState(grant === undefined ? null : first);
  const [draft, setDraft] = useState(first);
  const [isSaved, setSaved] = useState(false);
  const saving = useSaveGrant(grant?.id);
  const { data: roles } = useQuery(rolesQuery);
  const { data: resources } = useQuery(resourcesQuery);
  const role = roles?.find(({ id }) => id === draft.roleId);
  const resource = resources?.find(({ id }) => id === draft.resourceId);
  const { found, error, reload } = useFilterResource(resource?.id);
  const members = useMembers(draft.roleId);
  const isChosen = role !== undefined && resource !== undefined;
  const sentence = isChosen
    ? t("lost.grant", {
        role: role.name,
        action: t(`action.${draft.action}`),
        resource: resourceName(resource),
      })
    : t("grant.new");
  useTitle(sentence);
  const change = (next: Partial<GrantDraft>) => {
    setSaved(false);
    setDraft((last) => ({ ...last, ...next }));
  };
  return (
    <WaysProvider value={ways}>
      <div className={pageClasses}>
        <PageHead
          title={<span dir="auto">{sentence}</span>}
          trail={
            <AppLink href={accessPath} className={linkClasses}>
              {t("title")}
            </AppLink>
          }
          text={role === undefined ? t("grant.newText") : t("grant.text", { members })}
        >
          {grant !== undefined && <DeleteGrant {...{ members, saving }} title={sentence} />}
        </PageHead>
        {grant?.effective === false && (
          <Notice kind="danger">
            {t("grant.lost")}{" "}
            {grant.lost
              .map(({ part, name }) => t("lost.part", { part: t(`part.${part}`), name }))
              .join(", ")}
          </Notice>
        )}
        {isChosen && !isExposedFor(resource, draft.action) && (
          <Notice kind="info">{t("grant.shut")}</Notice>
        )}
        {isSaved && <Notice kind="ok">{words("saved")}</Notice>}
        {grant === undefined && (
          <GrantSubject draft={draft} faultAt={saving.faultAt} onChange={change} />
        )}
        {error !== null && <FailureNotice error={error} onRetry={reload} />}
        {isChosen && found === undefined && error === null && (
          <Skeleton label={words("loading")} rows={6} />
        )}
        {isChosen && found !== undefined && (
          <GrantForm
            key={`${draft.resourceId} ${draft.action}`}
            {...{ found, draft, base, saving }}
            onChange={change}
            onRebase={(present, next) => {
              setBase(present);
              setDraft(next);
            }}
            onSaved={(saved) => {
              if (grant === undefined) open(grantPath(saved.id));
              setBase(draftOf(saved));
              setDraft(draftOf(saved));
              setSaved(true);
            }}
          />
        )}
      </div>
    </WaysProvider>
  );
}
