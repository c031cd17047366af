import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { type SecretDeed, SecretListing } from "../../secrets/secret-listing.tsx";
import { AppLink } from "../../shell/app-link.tsx";
import { SearchField } from "../../shell/search-field.tsx";
import { linkClasses } from "../../ui/classes.ts";
import { ToolButton } from "../../ui/tool-button.tsx";
import { WorkflowsFrame } from "../parts/workflows-frame.tsx";

const route = getRouteApi("/frame/admin/workflows/secrets");

/** The secrets that workflows name. No page shows a value. */
export function SecretsPage() {
  const t = useTranslations("secrets");
  const { search } = route.useSearch();
  const navigate = route.useNavigate();
  const [deed, setDeed] = useState<SecretDeed>();
  return (
    <WorkflowsFrame
      tab="secrets"
      text={t("text.workflows")}
      actions={
        <ToolButton kind="primary" onClick={() => setDeed({ kind: "EDIT", secret: undefined })}>
          {t("new")}
        </ToolButton>
      }
    >
      <SearchField
        label={t("search")}
        value={search}
        onChange={(text) => void navigate({ search: { search: text }, replace: true })}
      />
      <SecretListing
        of="workflows"
        search={search}
        usedBy={(slugs) => <UsedBy slugs={slugs} />}
        deed={deed}
        onDeed={setDeed}
      />
    </WorkflowsFrame>
  );
}

const shownMax = 3;

/** The published workflows that use a secret, as links. */
function UsedBy({ slugs }: { readonly slugs: readonly string[] }) {
  const t = useTranslations("secrets");
  if (slugs.length === 0) return <span className="text-ink-2">{t("unused")}</span>;
  return (
    <span className="flex flex-wrap gap-x-2">
      {slugs.slice(0, shownMax).map((slug) => (
        <AppLink
          key={slug}
          href={`/admin/workflows?search=${encodeURIComponent(slug)}`}
          className={linkClasses}
        >
          <bdi>{slug}</bdi>
        </AppLink>
      ))}
      {slugs.length > shownMax && <span>{t("more", { count: slugs.length - shownMax })}</span>}
    </span>
  );
}
