import type { SnapshotStore } from "@rowhouse/db";
import { AnswerBudget } from "./answer-budget.ts";
import {
  createTransferSlots,
  exportKind,
  importKind,
  type TransferSlots,
} from "./transfer-slots.ts";

/** What the engines of one process share, so that its limits hold for all of them together. */
export interface ProcessBounds {
  readonly budget: AnswerBudget;
  readonly exports: TransferSlots;
  readonly imports: TransferSlots;
}

const bounds = new WeakMap<SnapshotStore, ProcessBounds>();

/** Returns the bounds of a process, which has one snapshot store. */
export function boundsOf(snapshots: SnapshotStore): ProcessBounds {
  let known = bounds.get(snapshots);
  if (known === undefined) {
    known = {
      budget: new AnswerBudget(),
      exports: createTransferSlots(exportKind),
      imports: createTransferSlots(importKind),
    };
    bounds.set(snapshots, known);
  }
  return known;
}
