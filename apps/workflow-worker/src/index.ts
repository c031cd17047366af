export { connectionsFor, createWorker, type Worker, type WorkerDependencies } from "./app.ts";
