/** What the runtime keeps of a world's natives; see there. */
export * from "@/rpc/natives";
