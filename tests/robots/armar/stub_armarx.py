"""A stub of ArmarX for tests: a registry, a skill manager and a memory of objects, over real Ice on loopback.

It is run by the Python that has ``armarx``: ``stub_armarx.py SLICE_FOLDER``. It prints the port of its locator,
and ends with its standard input. Skills: ``Succeed``, ``Fail``, ``Wait`` (until it is aborted).
"""

import sys
import threading
import time
from pathlib import Path

import Ice
import IceGrid

SLICES = Path(sys.argv[1])
for each in (
    "RobotAPI/interface/skills/SkillManagerInterface.ice",
    "RobotAPI/interface/objectpose/ObjectPoseStorageInterface.ice",
    "ArmarXCore/interface/components/EmergencyStopInterface.ice",
):
    Ice.loadSlice(f"-I{Ice.getSliceDir()} -I{SLICES} --underscore --all {SLICES / each}")

import armarx  # noqa: E402 - the interfaces that were loaded make it, here without the package

aron = armarx.aron.data.dto
dto = armarx.skills.provider.dto
Status = dto.Execution.Status
SKILLS = ("Succeed", "Fail", "Wait")


class Manager(armarx.skills.manager.dti.SkillManagerInterface):
    def __init__(self):
        self.statuses = {}
        self.aborted = threading.Event()

    def getSkillDescriptions(self, current=None):
        return {"arm": {name: dto.SkillDescription(name, "", aron.Dict(elements={})) for name in SKILLS}}

    def getSkillExecutionStatuses(self, current=None):
        return {"arm": dict(self.statuses)}

    def executeSkill(self, request, current=None):
        name = request.skillId.skillName
        if name not in SKILLS:
            raise armarx.skills.manager.dto.SkillException("There is no such skill.")
        self.update(request, Status.Running)
        print("executing", name, flush=True)
        if name == "Wait":
            self.aborted.clear()
            self.aborted.wait(60)
            return self.update(request, Status.Aborted)
        if name == "Fail":
            return self.update(request, Status.Failed, reason=aron.AronString(value="the door is locked"))
        return self.update(request, Status.Succeeded, params=request.params)

    def update(self, request, status, **data):
        header = dto.SkillStatusUpdateHeader(
            request.skillId, request.executorName, request.params, None, status
        )
        update = dto.SkillStatusUpdate(header, aron.Dict(elements=data))
        self.statuses[request.skillId.skillName] = update
        return update

    def abortSkill(self, provider, skill, current=None):
        self.aborted.set()


class Memory(armarx.objpose.ObjectPoseStorageInterface):
    def getObjectPoses(self, current=None):
        turned = armarx.QuaternionBase(1.0, 0.0, 0.0, 0.0)
        pose = armarx.PoseBase(armarx.Vector3Base(1000.0, 2000.0, 500.0), turned)
        extents = armarx.Vector3Base(60.0, 80.0, 100.0)
        box = armarx.objpose.Box(armarx.Vector3Base(0.0, 0.0, 50.0), turned, extents)
        now = armarx.core.time.dto.DateTime(armarx.core.time.dto.Duration(int(time.time() * 1e6)))
        name = armarx.data.ObjectID("Kitchen", "cup", "1")
        return [armarx.objpose.data.ObjectPose("vision", name, pose, 0.75, now, box)]


class EmergencyStop(armarx.EmergencyStopMasterInterface):
    def setEmergencyStopState(self, state, current=None):
        print("emergency stop:", state, flush=True)


class Registry(IceGrid.Registry):
    pass


class Locator(Ice.Locator):
    def __init__(self):
        self.known = {}

    def findObjectById(self, identity, current=None):
        if identity.name not in self.known:
            raise Ice.ObjectNotFoundException()
        return self.known[identity.name]

    def findAdapterById(self, name, current=None):
        raise Ice.AdapterNotFoundException()

    def getRegistry(self, current=None):
        return None


properties = Ice.createProperties()
properties.setProperty("Ice.ThreadPool.Server.SizeMax", "8")
properties.setProperty("Ice.ThreadPool.Server.Size", "8")
data = Ice.InitializationData()
data.properties = properties
communicator = Ice.initialize(data)
adapter = communicator.createObjectAdapterWithEndpoints("stub", "tcp -h 127.0.0.1")
locator = Locator()
adapter.add(locator, Ice.stringToIdentity("IceGrid/Locator"))
locator.known["Registry"] = adapter.add(Registry(), Ice.stringToIdentity("IceGrid/Registry"))
for name, servant in (
    ("SkillMemory", Manager()),
    ("ObjectMemory", Memory()),
    ("EmergencyStopMaster", EmergencyStop()),
):
    locator.known[name] = adapter.add(servant, Ice.stringToIdentity(name))
adapter.activate()
print(adapter.getEndpoints()[0].getInfo().port, flush=True)
sys.stdin.read()
communicator.destroy()
