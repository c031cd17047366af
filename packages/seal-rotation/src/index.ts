export {
  resealValues,
  type SealedDeps,
  type SealedSummary,
  type SealedValue,
  surveySealedValues,
} from "./sealed-values.ts";
