import { useEffect, useState } from "react";
import { accountApi, type SignInWays } from "./account-api.ts";

/** The ways to sign in that this installation offers; undefined until they are known. Email and password always work. */
export function useWays(): SignInWays | undefined {
  const [ways, setWays] = useState<SignInWays>();
  useEffect(() => {
    const abort = new AbortController();
    accountApi.ways(abort.signal).then(setWays, () => {});
    return () => abort.abort();
  }, []);
  return ways;
}
