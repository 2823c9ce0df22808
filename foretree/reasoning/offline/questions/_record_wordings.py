"""Wordings of questions about what the agent does and has done, as regular expressions."""

DOING = (
    r"what (?:are|is) (?:you|the robot)(?: currently| now)? (?:doing|up to|at|working on|busy with)",
    r"what (?:is going on|is happening)",
    r"what you are (?:doing|up to|working on)",
    r"are you (?:busy|working|doing anything)",
    r"you are (?:busy|doing something)",
)
NEXT = (
    r"(?:what|which)(?: step| steps| action)? (?:will|are|do|would) you(?: going to)?(?: do| doing)?(?: "
    r"going to do)? ?(?:next|after (?:that|this)|then|afterwards)",
    r"what (?:is|comes|happens|will happen) (?:next|after (?:that|this)|then)",
    r"what you (?:will|are going to) do(?: next)?",
    r"what is (?:your|the) (?:next (?:step|action|move)|plan)",
    r"what are you (?:going|planning|about) to do(?: next| now)?",
    r"what do you (?:plan|intend|want) to do(?: next)?",
    r"next",
    r"how do you (?:plan|want|intend) to do (?:it|that|this)",
    r"(?:your|the) plan",
)
LEFT = (
    r"(?:what|how much|how many (?:steps|actions|things))(?: work)? (?:else )?(?:is|are|do you have|"
    r"have you got)?(?: still| there)?(?: left| remaining| remains| outstanding| open| missing)(?: (?"
    r":to (?:do|be done)|for you))?",
    r"what (?:else )?(?:do you|have you|is there)(?: still)? (?:have |got |left )?to do",
    r"what (?:still )?(?:remains|needs to be done|has to be done|needs doing)(?: to be done)?",
    r"what is not done(?: yet)?",
)
DONE = (
    r"(?:are|is) (?:you|it|that|everything|the job|all)(?: all| nearly| almost| already| now)* (?:done|"
    r"finished|ready|complete)(?: yet| already)?",
    r"have you (?:already )?finished(?: yet| it| that)?",
    r"have you (?:got )?(?:done|finished) (?:it|that|everything)(?: yet)?",
    r"is that (?:it|all)",
    r"(?:did|has) (?:it|that)(?: all)? (?:work|worked|worked out|work out)(?: out)?",
    r"did you (?:do|manage|manage it|succeed|finish)(?: it| that)?(?: yet)?",
    r"you are (?:done|finished|ready)",
)
LONG = (
    r"how (?:long|much longer|much more time|much time)(?: (?:will|is|does|would|do you|until|till|"
    r"before)\b.*)?",
    r"when (?:will|are|is|do) (?:you|it|that|this|everything|the .+)(?: be| going to be)? ?(?:done|"
    r"finished|ready|finish|through)",
)
WHY_THAT = (
    r"(?:why|how come|what for|for what|for what reason|what was that for|what made you do (?:that|it)|"
    r"how so)(?: (?:did|do|are|have|were) you (?:do|doing|done|just do) (?:that|this|it))?(?: you (?"
    r":did|do|are doing) (?:that|this|it))?",
    r"why (?:is that|that|not)",
    r"what (?:did|do) you (?:do|need) (?:that|this|it) for",
)
WRONG = (
    r"(?:what|did anything|did something|has anything|has something|anything|is anything|what all)(?: "
    r"has| is| did)? (?:went|gone|go|going|goes)? ?wrong",
    r"(?:what|which) (?:was|is|were|are) the (?:problems?|trouble|matter|difficult(?:y|ies)|errors?|"
    r"failures?)",
    r"what failed",
    r"did (?:anything|something) fail",
    r"(?:were|are) there (?:any )?(?:problems|difficulties|errors|surprises|trouble)",
    r"what happened",
    r"why (?:did|does|has) (?:it|that) (?:fail|not work|failed|not worked)",
    r"why did (?:it|that) not work",
    r"why (?:have|did|are) you (?:stop|stopped|stopping|give up|given up|failed|fail|giving up)",
    r"what (?:is|was) (?:wrong|unexpected|the surprise)",
    r"did (?:anything|something) (?:unexpected|surprising) happen",
    r"what did not work",
)
CHANGED = (
    r"(?:what|has anything|has something|did anything|did the plan|has the plan|did you|have you|why "
    r"did you|why did the plan|why has the plan)(?: has| have| is)? (?:changed?|different)(?: your| "
    r"the)?(?: plans?| mind)?",
    r"what (?:is|was) different",
    r"(?:what|which) changes (?:were there|did you make|have there been)",
    r"why (?:did|have) you (?:changed?|revised?) (?:your|the) (?:plan|mind)",
)
DID = (
    r"what (?:did|have) you (?:just |all |actually |already )?(?:do|done|been doing|been up to|achieved?"
    r"|accomplish(?:ed)?|got done)(?: so far| up to now| until now| till now| just now| today| lately| "
    r"before| last| since then)?",
    r"what (?:was|is) the last thing (?:that )?you (?:did|have done)",
    r"what you (?:did|have done)(?: so far)?",
    r"(?:what|which) (?:steps|actions|things) (?:did|have) you (?:do|done|take|taken|carry out|carried "
    r"out)(?: so far)?",
    r"what is done(?: so far| already)?",
)
ASSUMED = (
    r"(?:what|which things|what all) (?:did|do|have|are) you (?:assumed?|assuming|taken? for granted|"
    r"guess(?:ed)?|suppos(?:e|ed)|presum(?:e|ed))",
    r"(?:did|do|have|are) you (?:assumed?|assuming|guess(?:ed|ing)?|making|make|made)(?: any| some)?(?: "
    r"anything| something| assumptions?)?",
    r"(?:what|which)(?: are| were)? (?:your |the )?assumptions?(?: did you make| do you make| have you "
    r"made)?",
)
ASKED = (
    r"what (?:did|have|had) (?:i|we) (?:just |last )?(?:ask(?:ed)?|told|tell|said|say|want(?:ed)?|"
    r"order(?:ed)?|request(?:ed)?)(?: (?:you|of you|from you))?(?: to do| for| to)?",
    r"what (?:was|am|were) (?:i|we) (?:asking|wanting)(?: (?:you )?for| you to do)?",
    r"what (?:is|was) (?:my|your|the|our)(?: last| current| present)? (?:order|instruction|request|task|"
    r"job|goal|mission|command|aim)",
    r"what are you (?:supposed|meant|told) to (?:do|be doing)",
    r"what (?:i|we) (?:asked|told|said)(?: you)?(?: to do| for)?",
    r"what is (?:the|your) (?:goal|task) (?:now|of this)",
    r"what are you trying to (?:do|achieve)",
    r"what did you understand",
)
TOLD_ABOUT = (
    r"what (?:all )?(?:did|have) (?:i|we|people|you) (?:ever |already )?(?:tell|told|say|said|hear|heard)"
    r"(?: to)?(?: you)? (?:about|of|on|regarding) (?P<thing>.+)"
)
KEPT = (
    r"what (?:did|have) (?:i|we) (?:tell|told|forbid|forbidden|ask|asked)(?: you)? not to(?: do)?",
    r"what (?:must|should|may|can|are) you not (?:do|allowed to do|supposed to do)",
    r"what (?:have|did) (?:i|we) (?:forbid|forbidden)(?: you)?(?: to do)?",
    r"what are you not allowed to do",
    r"what is forbidden",
    r"what (?:rules|constraints|conditions) do you keep(?: to)?",
    r"what do you keep to",
    r"(?:what|which) (?:are )?(?:the |your |my )?(?:rules|constraints|prohibitions|bans)"
    r"(?: (?:are|hold|count|apply))?(?: (?:there|now|in force|right now|did (?:i|we) give you"
    r"|do you (?:have|know|keep|follow|obey)(?: to)?))*",
    r"(?:are there|do you (?:have|keep to|follow|obey)) (?:any |some )?"
    r"(?:rules|prohibitions|constraints|bans)",
    r"is (?:there )?anything (?:that is )?(?:forbidden|prohibited|not allowed|you (?:may|must) not do)",
    r"what (?:may|must|can|should) you not (?:touch|use|open|do)(?: any more| at the moment| now)?",
    r"what are you not (?:allowed|supposed) to (?:touch|use|open)",
)
