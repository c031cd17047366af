import type { ReactNode } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { AppLink } from "../shell/app-link.tsx";
import { Moment } from "../shell/moment.tsx";
import { linkClasses } from "../ui/classes.ts";
import { Section } from "../ui/section.tsx";
import type { AppliedSource, Drift } from "./configuration-queries.ts";

interface LastApplyCardProps {
  readonly apply: NonNullable<Drift["lastApply"]>;
  readonly parts: Drift["parts"];
}

/** The last apply: of which commit, when and by whom. */
export function LastApplyCard({ apply, parts }: LastApplyCardProps) {
  const t = useTranslations("configuration");
  const format = useFormatter();
  const { appliedAt, appliedBy, source, steps } = apply;
  return (
    <Section title={t("lastApply")}>
      <dl className="grid gap-x-8 gap-y-3 rounded-panel border border-line bg-surface p-4 sm:grid-cols-[auto_auto_auto_1fr]">
        <Fact name={t("commit")}>
          <Commit source={source} />
        </Fact>
        <Fact name={t("appliedAt")}>
          <Moment at={appliedAt} />
        </Fact>
        <Fact name={t("appliedBy")}>
          {appliedBy === null ? (
            t("deletedPerson")
          ) : (
            <AppLink href={`/admin/people/users/${appliedBy.id}`} className={linkClasses}>
              <bdi>{appliedBy.email}</bdi>
            </AppLink>
          )}
        </Fact>
        <Fact name={t("extent")}>
          {t("stepCount", { count: steps, number: format.number(steps) })}
        </Fact>
        <div className="grid gap-0.5 sm:col-span-4">
          <dt className="text-2 text-ink-2">{t("partsInFiles")}</dt>
          <dd>{format.list(parts.map((part) => t(`parts.${part}`)))}</dd>
        </div>
      </dl>
    </Section>
  );
}

function Fact(props: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="grid min-w-0 content-start gap-0.5">
      <dt className="text-2 text-ink-2">{props.name}</dt>
      <dd className="wrap-anywhere">{props.children}</dd>
    </div>
  );
}

/** A commit as Git shortens it, with the link of its page. */
function Commit({ source }: { readonly source: AppliedSource }) {
  const t = useTranslations("configuration");
  const { commit, url } = source;
  const text =
    commit === null ? (
      t(url === null ? "noCommit" : "source")
    ) : (
      <code className="font-mono" title={commit}>
        {/^[0-9a-f]{12,}$/.test(commit) ? commit.slice(0, 10) : commit}
      </code>
    );
  if (url === null || !/^https?:/i.test(url)) return text;
  return (
    <a href={url} target="_blank" rel="noopener noreferrer" className={linkClasses}>
      {text}
    </a>
  );
}
