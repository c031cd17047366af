/** The states of tokens, and `soon` for the active ones that expire soon. */
export const tokenStates = ["soon", "active", "deactivated", "expired", "revoked"] as const;

type TokenFilter = (typeof tokenStates)[number];

/** Reads the state in an address. */
export function readTokenState(text: string | undefined): TokenFilter | undefined {
  return tokenStates.find((one) => one === text);
}

/** Reads whether tokens of programs are wanted, or those that people have created themselves. */
export function readTokenUse(text: string | undefined): "true" | "false" | undefined {
  return text === "true" || text === "false" ? text : undefined;
}
