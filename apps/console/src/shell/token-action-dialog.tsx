import { useState } from "react";
import { useTranslations } from "use-intl";
import { Select } from "../ui/select.tsx";
import { ConfirmTask } from "./confirm-task.tsx";
import { SecretDialog } from "./secret-dialog.tsx";
import { useTask } from "./use-task.ts";

/** Something to do with a token, which a dialog confirms first. */
export type TokenDeed = "regenerate" | "deactivate" | "activate" | "revoke";

/** Returns what can be done with a token. The secrets of a program are its own: a person cannot have a new one made. */
export function tokenDeeds(token: {
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
