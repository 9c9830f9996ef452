"""Choosing, opening, checking, saving and resetting the profile that a character walks by, and training a
network on it."""

from ....animation.properties import ASKED, KEPT
from ....animation.steps import Steps
from ....interface.file_operator import reads, writes
from ....interface.operator import CharacterOperator, StepsOperator
from ...api import presets
from ...manner import profiles


class NEURARIG_OT_use_human_gait(CharacterOperator):
    """Use the human gait; the profile and its constants are kept for later"""

    bl_label = "Human Gait"

    def act(self, context, obj):
        obj.neurarig.walk.gait_source = "HUMAN"
        return f"'{obj.name}' uses the human gait."


class NEURARIG_OT_use_profile(CharacterOperator):
    """Walk by this profile"""

    bl_label = "Use Profile"

    profile: ASKED.text("Profile", "Name of a profile that comes with NeuraRig")

    @classmethod
    def told(cls, properties):
        return dict(profiles.shipped()).get(properties.profile, "")

    def act(self, context, obj):
        presets.use_profile(obj, self.profile)
        return f"'{obj.name}' uses the profile '{self.profile}'."


class NEURARIG_OT_open_profile(reads("JSON file of a profile", ".json")):
    """Walk by a profile of your own, from a JSON file; its text is kept in the .blend"""

    bl_label = "Open Profile"

    def act(self, context, obj):
        presets.use_profile(obj, self.filepath)
        return f"'{obj.name}' uses the profile '{obj.neurarig.walk.profile_name}'."


class _ProfileOperator(CharacterOperator):
    """An operator on the profile that a character walks by."""

    needs = "Needs a walk by a profile: choose one in Gait Source"
    lacks = (
        "This character has no profile yet; choose one in Gait Source",
        lambda _, obj: obj.neurarig.walk.profile,
    )


class NEURARIG_OT_check_profile(_ProfileOperator):
    """Evaluate the profile for many walkers at many speeds, and list what is wrong or odd with it"""

    bl_label = "Check Profile"

    def act(self, context, obj):
        found = presets.check_profile(obj)
        return found[0] if found else f"No fault found in the profile '{obj.neurarig.walk.profile_name}'."


class NEURARIG_OT_save_profile(_ProfileOperator, writes("JSON file to write", ".json")):
    """Write the profile to a JSON file, with its constants as they are set"""

    bl_label = "Save Profile As"

    def file_name(self, obj):
        return f"{obj.neurarig.walk.profile_name}.json"

    def act(self, context, obj):
        presets.save_profile(obj, self.file())
        return f"Wrote '{self.file()}'."


class NEURARIG_OT_reset_constants(_ProfileOperator):
    """Set every constant of the profile back to what its file has"""

    bl_label = "Reset Constants"

    def act(self, context, obj):
        profiles.reset_constants(obj)
        return f"The constants of '{obj.neurarig.walk.profile_name}' are those of its file."


class NEURARIG_OT_train_profile(_ProfileOperator, StepsOperator):
    """Train a network on this profile with its constants as they are set; it takes a few seconds"""

    bl_label = "Train on This Profile"
    doing = "Training"

    most_steps: KEPT.whole(
        "Steps", "Most training steps; it ends sooner when nothing is left to learn", default=40, min=0
    )
    seed: KEPT.whole("Seed", "The same seed gives the same network", default=1, min=0)

    def steps(self, context, obj) -> Steps[float]:
        return profiles.train_steps(obj, self.most_steps, self.seed)

    def done(self, context, obj, result: float):
        return f"Trained on '{obj.neurarig.walk.profile_name}'. Error {result:.1e} (m, rad)"
