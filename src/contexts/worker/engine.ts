import "../jitless";

import { agentEvalMessages } from "@/agent/services/agent-eval";
import { AgentService } from "@/agent/services/agent-service";
import { modelEvalMessages } from "@/agent/services/model-eval";
import type { EngineHost } from "./engine-host";

/*
 * The agent half of the worker: loaded by core.js when an agent is first needed, so that pages and scripts without agents never pay
 * for it.
 */
globalThis.moggyEngine = {
  create(host: EngineHost) {
    const agents = new AgentService(host);
    return {
      resumeRuns: () => agents.resumeRuns(),
      stopScript: (uuid) => agents.stopScript(uuid),
      reset: () => agents.reset(),
      // Only the eval build contains these.
      evalMessages: __EVAL__ ? { ...modelEvalMessages(agents.models), ...agentEvalMessages(agents) } : {},
    };
  },
};
