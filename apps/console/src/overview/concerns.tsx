import { useFormatter, useTranslations } from "use-intl";
import { Moment } from "../shell/moment.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Concern, Note } from "./concern.tsx";
import type { LogEntry, Overview, Resource } from "./overview-query.ts";

/** What needs a hand, the most pressing first. */
export function Concerns({ overview }: { readonly overview: Overview }) {
  const t = useTranslations("overview");
  const unsafe = useTranslations("settings.unsafe");
  const settingNames = useTranslations("settingNames");
  const untried = useTranslations("manage.untriedServer");
  const format = useFormatter();
  const { hasMailServer, server, hidden, unreached, ineffective, expiring, broken, doubtful } =
    overview;
  const { failed, lostMails } = overview;
  const parts = [unreached, ineffective, expiring, broken, doubtful, lostMails, failed];
  const isCalm = [...parts, overview.unsafe].every((part) => part.length === 0);
  const isFine = server.isTested && !server.codeMayAdminister;
  if (isCalm && hasMailServer && isFine && hidden.count === 0) {
    return <EmptyState title={t("nothing")} text={t("nothingText")} />;
  }
  return (
    <>
      <Concern
        title={t("failed.title")}
        text={t("failed.text")}
        entries={failed.map(({ key, workflow, step, message, count, at, href }) => ({
          key,
          name: <bdi>{workflow}</bdi>,
          href,
          detail: (
            <>
              {step !== null && <bdi>{t("failed.step", { step })}</bdi>}
              {count > 1 && <span>{t("failed.times", { count })}</span>}
              <Moment at={at} />
            </>
          ),
          text: (
            <span lang="en" dir="auto">
              {message}
            </span>
          ),
        }))}
      />
      <Concern
        title={t("broken.title")}
        text={t("broken.text")}
        entries={broken.map(({ id, name, problem }) => ({
          key: id,
          name: <bdi>{name}</bdi>,
          text: <span lang="en">{problem}</span>,
          href: `/admin/workflows/${id}`,
        }))}
      />
      <Concern
        title={t("doubtful.title")}
        text={t("doubtful.text")}
        entries={doubtful.map(({ id, name, count, first }) => ({
          key: id,
          name: <bdi>{name}</bdi>,
          detail: count > 1 ? t("doubtful.more", { count: count - 1 }) : undefined,
          text: <span lang="en">{first.message}</span>,
          href: `/admin/workflows/${id}`,
        }))}
      />
      <Concern
        title={t("expiring.title")}
        text={t("expiring.text")}
        entries={expiring.map((token) => ({
          key: token.id,
          name: <bdi>{token.name}</bdi>,
          detail: t("expiring.detail", {
            owner: token.owner.name === "" ? token.owner.email : token.owner.name,
            day: format.dateTime(new Date(token.expiresAt), { dateStyle: "medium" }),
          }),
          href: `/admin/people/users/${token.userId}?tab=tokens`,
        }))}
      />
      {server.codeMayAdminister && (
        <Note title={t("code.title")} text={t("code.text")} entries={[]} />
      )}
      {!server.isTested && (
        <Note
          title={untried("title", { version: server.version })}
          text={untried("text", { testedFrom: server.testedFrom, testedTo: server.testedTo })}
          entries={[]}
        />
      )}
      <Concern
        title={t("unsafe.title")}
        text={t("unsafe.text")}
        entries={overview.unsafe.map(({ key, warning }) => ({
          key,
          name: settingNames.has(titleKey(key)) ? settingNames(titleKey(key)) : key,
          detail: <code className="font-mono text-2">{key}</code>,
          text: unsafe(warning),
          href: `/admin/settings?search=${encodeURIComponent(key)}`,
        }))}
      />
      <Concern
        title={t("lostMails.title")}
        text={t("lostMails.text")}
        entries={lostMails.map((entry) => ({
          key: entry.id,
          name: <LostMail entry={entry} />,
          detail: <Moment at={entry.occurredAt} />,
          href: `/admin/audit?action=mail.send&targetId=${entry.targetId}`,
        }))}
      />
      <Concern
        title={t("ineffective.title")}
        text={t("ineffective.text")}
        entries={ineffective.map(({ grant, role, resource }) => ({
          key: grant.id,
          name: (
            <bdi>
              {t("ineffective.grant", {
                role: role ?? t("ineffective.role"),
                action: t(`ineffective.actions.${grant.action}`),
                table: resource === undefined ? "" : (resource.label ?? resource.name),
              })}
            </bdi>
          ),
          detail: t("ineffective.lost", {
            columns: format.list(grant.lost.map(({ name }) => name)),
          }),
          href: `/admin/access/grants/${grant.id}`,
        }))}
      />
      <Concern
        title={t("unreached.title")}
        text={t("unreached.text")}
        entries={unreached.map((resource) => ({
          key: resource.id,
          name: <bdi>{nameOf(resource)}</bdi>,
          href: `/admin/access?search=${encodeURIComponent(nameOf(resource))}`,
        }))}
      />
      {!hasMailServer && <Note title={t("noMail.title")} text={t("noMail.text")} entries={[]} />}
      {hidden.count > 0 && (
        <Concern
          title={t("hidden.title", { count: hidden.count })}
          text={t("hidden.text")}
          areWays
          entries={[
            { key: "open", name: t("hidden.open"), href: "/admin/open-tables" },
            { key: "access", name: t("hidden.link"), href: "/admin/access" },
          ]}
        />
      )}
    </>
  );
}

/** The key of the title of a setting; settings that the pages do not know have none. */
function titleKey(setting: string) {
  return `${setting}.title` as "data.max_limit.title";
}

/** For whom a mail was, or what it was about. */
function LostMail({ entry }: { readonly entry: LogEntry }) {
  const t = useTranslations("overview.lostMails");
  const { targetKind, names } = entry;
  const name = targetKind === "run" ? names.parent : names.target;
  const kind = targetKind === "run" || targetKind === "invitation" ? targetKind : "user";
  return t.rich(`${kind}.${name === null ? "gone" : "named"}`, { name: () => <bdi>{name}</bdi> });
}

function nameOf({ schema, name }: Resource): string {
  return `${schema}.${name}`;
}
