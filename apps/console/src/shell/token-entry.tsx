import { type ReactNode, useState } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { Entry, StateBadge } from "../ui/entries.tsx";
import { Select } from "../ui/select.tsx";
import { ToolButton } from "../ui/tool-button.tsx";
import { ConfirmTask } from "./confirm-task.tsx";
import { SecretDialog } from "./secret-dialog.tsx";
import { daysLeft, isNearEnd } from "./token-life.ts";
import { useTask } from "./use-task.ts";

/** A token as any part of the pages shows it. */
interface ShownToken {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly plane: "api" | "admin";
  readonly state: "active" | "deactivated" | "expired" | "revoked";
  readonly expiresAt: string;
  /** In days. */
  readonly lifetime: number;
  readonly expiresSoon: boolean;
  readonly previousSecretUntil: string | null;
  readonly lastUsedAt: string | null;
  /** The program that a person has given access; null for a token that its owner has created. */
  readonly client: { readonly id: string; readonly name: string; readonly redirect: string } | null;
  /** What that program may do. */
  readonly scopes: readonly TokenScope[] | null;
}

/** What the program of a token may do. */
type TokenScope = "read" | "write" | "workflows";

const looks = { active: "ok", deactivated: "warn", expired: "plain", revoked: "plain" } as const;

/** A token with its plane, state, use and expiry, and what can be done with it. */
export function TokenEntry(props: {
  readonly token: ShownToken;
  readonly onAct: (deed: TokenDeed) => void;
  /** Beside the badges, such as the owner. */
  readonly aside?: ReactNode;
  /** Before the other actions. */
  readonly actions?: ReactNode;
}) {
  const t = useTranslations("account.tokens");
  const format = useFormatter();
  const { name, description, plane, state, expiresAt, expiresSoon, lastUsedAt } = props.token;
  const day = (text: string) => format.dateTime(new Date(text), { dateStyle: "medium" });
  const moment = (text: string) =>
    format.dateTime(new Date(text), { dateStyle: "medium", timeStyle: "short" });
  const used = lastUsedAt === null ? t("neverUsed") : t("used", { at: moment(lastUsedAt) });
  const { previousSecretUntil: until, client, scopes } = props.token;
  const done = (scopes ?? []).map((scope) => t(`scopes.${scope}`)).join(" · ");
  return (
    <Entry
      name={
        <>
          <span dir="auto">{name}</span>
          <StateBadge look={looks[state]}>{t(state)}</StateBadge>
          <StateBadge look="plain">{t(client === null ? plane : "program")}</StateBadge>
          {expiresSoon && (
            <StateBadge look={isNearEnd(props.token) ? "warn" : "plain"}>
              {t("soon", { count: daysLeft(props.token) })}
            </StateBadge>
          )}
          {props.aside}
        </>
      }
      facts={[
        ...(description === "" ? [] : [description]),
        `${t(state === "expired" ? "expiredAt" : "expires", { at: day(expiresAt) })} · ${used}`,
        ...(client === null
          ? []
          : [t("mayDo", { name: client.name, scopes: done }), t("knownAs", client)]),
        ...(until === null ? [] : [t("previousUntil", { at: moment(until) })]),
      ]}
      actions={
        <>
          {props.actions}
          {tokenDeeds(props.token).map((deed) => (
            <ToolButton
              key={deed}
              kind={deed === "revoke" ? "danger" : "plain"}
              onClick={() => props.onAct(deed)}
              aria-label={t("actionOf", { action: t(`do.${deed}`), name })}
            >
              {t(`do.${deed}`)}
            </ToolButton>
          ))}
        </>
      }
    />
  );
}

/** Something to do with a token, which a dialog confirms first. */
export type TokenDeed = "regenerate" | "deactivate" | "activate" | "revoke";

/** Returns what can be done with a token. The secrets of a program are its own: a person cannot have a new one made. */
function tokenDeeds(token: {
  readonly state: "active" | "deactivated" | "expired" | "revoked";
  readonly client: object | null;
}): readonly TokenDeed[] {
  if (token.state === "deactivated") return ["activate", "revoke"];
  if (token.state !== "active") return [];
  return token.client === null ? ["regenerate", "deactivate", "revoke"] : ["deactivate", "revoke"];
}

const gracePeriods = ["none", "1h", "24h", "7d"] as const;

/** How long the old secret of a token works. */
export type GracePeriod = (typeof gracePeriods)[number];

interface TokenActionDialogProps {
  readonly name: string;
  readonly deed: TokenDeed;
  /** Does it, and returns the new secret if there is one. Rejects if the service refuses. */
  readonly perform: (deed: TokenDeed, gracePeriod: GracePeriod) => Promise<string | undefined>;
  readonly onClose: () => void;
}

/** Says what will be done with a token, does it, and shows a new secret once. */
export function TokenActionDialog({ name, deed, perform, onClose }: TokenActionDialogProps) {
  const t = useTranslations("account.tokens");
  const [gracePeriod, setGrace] = useState<GracePeriod>("24h");
  const [secret, show] = useState<string>();
  const task = useTask(async () => {
    const fresh = await perform(deed, gracePeriod);
    if (fresh === undefined) onClose();
    else show(fresh);
  }, []);
  if (secret !== undefined) return <SecretDialog name={name} secret={secret} onClose={onClose} />;
  return (
    <ConfirmTask
      title={t(`confirm.${deed}`, { name })}
      confirm={t(`do.${deed}`)}
      isHarmless={deed === "activate"}
      failure={task.code === "CONFLICT" ? t("changed") : undefined}
      task={task}
      onClose={onClose}
    >
      <div className="grid gap-3">
        <p>{t(`effect.${deed}`)}</p>
        {deed === "regenerate" && (
          <Select
            label={t("grace")}
            value={gracePeriod}
            options={gracePeriods.map((value) => ({ value, label: t(`graces.${value}`) }))}
            onChange={setGrace}
          />
        )}
      </div>
    </ConfirmTask>
  );
}
