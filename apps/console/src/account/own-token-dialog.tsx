import { useQueryClient } from "@tanstack/react-query";
import { client } from "../shell/client.ts";
import {
  type GracePeriod,
  TokenActionDialog,
  type TokenDeed,
} from "../shell/token-action-dialog.tsx";
import { type OwnToken, tokensQuery } from "./account-queries.ts";

/** Asks before something is done with a token of one's own, and does it. */
export function OwnTokenDialog(props: {
  readonly token: OwnToken;
  readonly deed: TokenDeed;
  readonly onClose: () => void;
}) {
  const cache = useQueryClient();
  const { name, id } = props.token;
  const perform = async (deed: TokenDeed, gracePeriod: GracePeriod) => {
    try {
      const path = { id };
      if (deed === "regenerate") {
        const body = { gracePeriod };
        return (await client.api.post("/auth/tokens/{id}/regenerate", { path, body })).data.secret;
      }
      await client.api.post(`/auth/tokens/{id}/${deed}`, { path });
      return undefined;
    } finally {
      await cache.invalidateQueries({ queryKey: tokensQuery.queryKey });
    }
  };
  return (
    <TokenActionDialog name={name} deed={props.deed} perform={perform} onClose={props.onClose} />
  );
}
