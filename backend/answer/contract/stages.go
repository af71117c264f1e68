package contract

// Stage is a step of a run that a reader sees.
type Stage string

// Stages of a quick run, in order; then those of deep research, which come
// before check. Research and evaluating come once a pass.
const (
	StagePlan    Stage = "plan"
	StageGather  Stage = "gather"
	StageRead    Stage = "read"
	StageSelect  Stage = "select"
	StageCompose Stage = "compose"
	StageCheck   Stage = "check"
	StageImages  Stage = "images"
	StageFinish  Stage = "finish"

	StageScope      Stage = "scope"
	StagePlanReview Stage = "plan-review"
	StageResearch   Stage = "research"
	StageEvaluating Stage = "evaluating"
	StageSynthesis  Stage = "synthesis"
)

var stageLabels = map[Stage]string{
	StagePlan:    "Understanding the question…",
	StageGather:  "Searching sources…",
	StageRead:    "Reading pages…",
	StageSelect:  "Evaluating credibility…",
	StageCompose: "Synthesizing answer…",
	StageCheck:   "Checking citations…",
	StageImages:  "Adding visuals…",
	StageFinish:  "Answer ready.",

	StageScope:      "Planning research",
	StagePlanReview: "Reviewing research plan",
	StageResearch:   "Researching",
	StageEvaluating: "Checking coverage",
	StageSynthesis:  "Writing report",
}

// Label is what a reader sees of a stage.
func (s Stage) Label() string { return stageLabels[s] }

// ToolState says how far a tool call has come.
type ToolState string

// A call is requested, perhaps warned, runs and is done or failed; or it is
// refused or blocked and never runs.
const (
	ToolRequested ToolState = "requested"
	ToolRunning   ToolState = "running"
	ToolDone      ToolState = "done"
	ToolFailed    ToolState = "failed"
	ToolRefused   ToolState = "refused"
	ToolWarned    ToolState = "warned"
	ToolBlocked   ToolState = "blocked"
)
