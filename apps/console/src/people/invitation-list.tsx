import type { AdminOperations } from "@rowhouse/client";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { AppLink } from "../shell/app-link.tsx";
import { client } from "../shell/client.ts";
import { Moment } from "../shell/moment.tsx";
import { NameLink } from "../shell/name-link.tsx";
import { StateBadge } from "../ui/entries.tsx";
import { type ListColumn, ListTable } from "../ui/list-table.tsx";
import { ToolButton } from "../ui/tool-button.tsx";

type Invitation = AdminOperations["GET /invitations"]["answer"]["data"][number];

const looks = { open: "ok", accepted: "plain", revoked: "plain", expired: "warn" } as const;
const rejectedMax = 1000;

interface InvitationListProps {
  readonly invitations: readonly Invitation[];
  readonly onRevoke: (invitation: Invitation) => void;
  /** Sends the mail again, or creates a link to hand over. */
  readonly onRenew: (invitation: Invitation, by: "mail" | "link") => void;
}

/** Invitations with their state, and whether the mail was rejected. */
export function InvitationList({ invitations, onRevoke, onRenew }: InvitationListProps) {
  const t = useTranslations("invitations");
  const people = useTranslations("people");
  const words = useTranslations("manage");
  // The audit log is the one place that records a mail that was given up.
  const { data: rejected } = useQuery({
    queryKey: ["people", "rejected-mails"],
    queryFn: async ({ signal }) => {
      const { data } = await client.admin.get("/audit-log", {
        query: { action: "mail.send", targetKind: "invitation", limit: rejectedMax },
        signal,
      });
      return new Set(data.map(({ targetId }) => targetId));
    },
  });
  const columns: readonly ListColumn<Invitation>[] = [
    {
      key: "email",
      label: people("email"),
      width: "w-[30%]",
      cell: ({ email, name, userId }) => {
        const label = name === "" ? email : `${name} · ${email}`;
        return userId === null ? (
          <span className="font-medium" dir="auto" title={label}>
            {label}
          </span>
        ) : (
          <NameLink href={`/admin/people/users/${userId}`} name={label} />
        );
      },
    },
    {
      key: "roles",
      label: people("roles"),
      cell: ({ roles }) => {
        const names = roles.map(({ name }) => name).join(", ");
        return (
          <span dir="auto" title={names}>
            {names === "" ? words("none") : names}
          </span>
        );
      },
    },
    {
      key: "state",
      label: people("state"),
      width: "w-40",
      cell: ({ id, state }) => (
        <span className="inline-flex flex-wrap gap-1.5 align-middle">
          <StateBadge look={looks[state]}>{t(`states.${state}`)}</StateBadge>
          {rejected?.has(id) === true && (
            <AppLink
              href={`/admin/audit?targetKind=invitation&targetId=${id}`}
              title={t("mailText")}
            >
              <StateBadge look="warn">{t("mailRejected")}</StateBadge>
            </AppLink>
          )}
        </span>
      ),
    },
    {
      key: "until",
      label: t("until"),
      width: "w-44",
      cell: ({ expiresAt }) => <Moment at={expiresAt} />,
    },
    {
      key: "actions",
      label: words("actions"),
      width: "w-72",
      cell: (invitation) =>
        (invitation.state === "open" || invitation.state === "expired") && (
          <span className="flex flex-wrap gap-1.5">
            <ToolButton
              aria-label={t("sendAgainOne", { email: invitation.email })}
              onClick={() => onRenew(invitation, "mail")}
            >
              {t("sendAgain")}
            </ToolButton>
            <ToolButton
              aria-label={t("linkOne", { email: invitation.email })}
              onClick={() => onRenew(invitation, "link")}
            >
              {t("link")}
            </ToolButton>
            <ToolButton
              kind="danger"
              aria-label={t("revokeOne", { email: invitation.email })}
              onClick={() => onRevoke(invitation)}
            >
              {t("revoke")}
            </ToolButton>
          </span>
        ),
    },
  ];
  return (
    <ListTable
      label={people("tabs.invitations")}
      items={invitations}
      columns={columns}
      keyOf={({ id }) => id}
    />
  );
}
