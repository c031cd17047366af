import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../shell/client.ts";
import { useTask } from "../shell/use-task.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Select } from "../ui/select.tsx";
import { type OwnToken, tokensQuery } from "./account-queries.ts";
import { SecretDialog } from "./secret-dialog.tsx";

/** Something to do with a token, which a dialog confirms first. */
export interface TokenAction {
  readonly kind: "regenerate" | "deactivate" | "activate" | "revoke";
  readonly token: OwnToken;
}

/** Returns what can be done with a token in a state. */
export function tokenActions(state: OwnToken["state"]): readonly TokenAction["kind"][] {
  if (state === "active") return ["regenerate", "deactivate", "revoke"];
  return state === "deactivated" ? ["activate", "revoke"] : [];
}

const gracePeriods = ["none", "1h", "24h", "7d"] as const;

/** Says what the action will do, does it, and shows a new secret once. */
export function TokenActionDialog(props: {
  readonly action: TokenAction;
  readonly onClose: () => void;
}) {
  const t = useTranslations("account.tokens");
  const words = useTranslations("account");
  const cache = useQueryClient();
  const { action, onClose } = props;
  const { id, name } = action.token;
  const [gracePeriod, setGrace] = useState<(typeof gracePeriods)[number]>("24h");
  const [secret, show] = useState<string>();
  const task = useTask(async () => {
    try {
      const path = { id };
      if (action.kind === "regenerate") {
        const body = { gracePeriod };
        const { data } = await client.api.post("/auth/tokens/{id}/regenerate", { path, body });
        show(data.secret);
      } else await client.api.post(`/auth/tokens/{id}/${action.kind}`, { path });
    } finally {
      await cache.invalidateQueries({ queryKey: tokensQuery.queryKey });
    }
    if (action.kind !== "regenerate") onClose();
  }, []);
  if (secret !== undefined) return <SecretDialog name={name} secret={secret} onClose={onClose} />;
  return (
    <ConfirmDialog
      title={t(`confirm.${action.kind}`, { name })}
      confirm={t(`do.${action.kind}`)}
      cancel={words("cancel")}
      failure={task.code === "CONFLICT" ? t("changed") : task.failure}
      isBusy={task.isBusy}
      onConfirm={task.run}
      onClose={onClose}
    >
      <div className="grid gap-3">
        <p>{t(`effect.${action.kind}`)}</p>
        {action.kind === "regenerate" && (
          <Select
            label={t("grace")}
            value={gracePeriod}
            options={gracePeriods.map((value) => ({ value, label: t(`graces.${value}`) }))}
            onChange={setGrace}
          />
        )}
      </div>
    </ConfirmDialog>
  );
}
