"""Names for drawn skeletons: words of several languages and habits, with the sides, prefixes and numbers that
people use."""

import re
from collections.abc import Iterable

import numpy as np

# ruff: noqa: RUF001  (lists of words)
# Each habit: what a bone is -> its word.  What is missing is called by the key itself.
_ENGLISH = (
    "pelvis=pelvis,hips,hip,waist,body,cog spine=spine,torso,back,abdomen,vertebra"
    " chest=chest,ribs,ribcage,thorax,upperchest,spine_up neck=neck,cervical head=head,skull"
    " clavicle=clavicle,shoulder,collar upper_arm=upperarm,arm,uparm,arm_upper,bicep"
    " forearm=forearm,lowerarm,elbow,arm_lower,lowarm hand=hand,wrist,fist,palm"
    " thigh=thigh,upperleg,upleg,leg_upper,hip_leg,femur shin=shin,calf,lowerleg,knee,lowleg,leg_lower,tibia"
    " foot=foot,ankle,feet toe=toe,toes,ball,toebase root=root,master,main,origin,global finger=finger"
    " hair=hair skirt=skirt,dress"
)
_LANGUAGES = {
    "english": _ENGLISH,
    "german": (
        "pelvis=Becken,Hüfte spine=Wirbelsäule,Rücken neck=Hals head=Kopf clavicle=Schulter,Schlüsselbein"
        " upper_arm=Oberarm forearm=Unterarm hand=Hand thigh=Oberschenkel shin=Unterschenkel,Wade foot=Fuß"
        " toe=Zehen,Zehe root=Wurzel finger=Finger hair=Haar skirt=Rock"
    ),
    "french": (
        "pelvis=bassin,hanches spine=colonne,dos,torse neck=cou head=tête,tete clavicle=clavicule,épaule"
        " upper_arm=bras forearm=avantbras hand=main thigh=cuisse shin=jambe,mollet,tibia foot=pied"
        " toe=orteil,orteils root=racine finger=doigt hair=cheveux skirt=jupe"
    ),
    "spanish": (
        "pelvis=cadera,pelvis spine=columna,espalda,torso neck=cuello head=cabeza clavicle=clavicula,hombro"
        " upper_arm=brazo forearm=antebrazo hand=mano thigh=muslo shin=pierna,pantorrilla foot=pie"
        " toe=dedos,puntera root=raiz finger=dedo hair=pelo skirt=falda"
    ),
    "polish": (
        "pelvis=miednica,biodra spine=kręgosłup,tułów neck=szyja head=głowa clavicle=obojczyk upper_arm=ramię"
        " forearm=przedramię hand=dłoń thigh=udo shin=łydka,goleń foot=stopa toe=palce root=korzeń"
        " finger=palec hair=włosy skirt=spódnica"
    ),
    "turkish": (
        "pelvis=kalça spine=omurga,gövde neck=boyun head=kafa,baş clavicle=omuz upper_arm=üstkol"
        " forearm=önkol hand=el thigh=üstbacak,uyluk shin=altbacak,baldır foot=ayak toe=parmak root=kök"
        " finger=parmakel hair=saç skirt=etek"
    ),
    "japanese": (
        "pelvis=腰,骨盤 spine=背骨,胴 neck=首 head=頭 clavicle=肩,鎖骨 upper_arm=上腕 forearm=前腕 hand=手"
        " thigh=太もも,腿 shin=すね,脛 foot=足首,足 toe=つま先 root=全ての親 finger=指 hair=髪 skirt=スカート"
    ),
    "chinese": (
        "pelvis=骨盆 spine=脊柱,腰 neck=脖子,颈 head=头 clavicle=锁骨 upper_arm=上臂,大臂 forearm=前臂,小臂"
        " hand=手 thigh=大腿 shin=小腿 foot=脚 toe=脚趾,脚尖 root=根 finger=手指 hair=头发 skirt=裙"
    ),
}
_SIDES = {
    "english": (
        ("L", "R"),
        ("l", "r"),
        ("left", "right"),
        ("Left", "Right"),
        ("lf", "rt"),
        ("Lt", "Rt"),
        ("LEFT", "RIGHT"),
        ("sx", "dx"),
    ),
    "german": (("L", "R"), ("links", "rechts"), ("li", "re")),
    "french": (("L", "R"), ("G", "D"), ("gauche", "droite")),
    "spanish": (("L", "R"), ("izq", "der"), ("I", "D")),
    "polish": (("L", "R"), ("lewa", "prawa"), ("L", "P")),
    "turkish": (("L", "R"), ("sol", "sağ")),
    "japanese": (("左", "右"), ("L", "R")),
    "chinese": (("左", "右"), ("L", "R")),
}
_PATTERNS = (
    "{s}{w}",
    "{w}.{s}",
    "{w}_{s}",
    "{s}_{w}",
    "{p}{s}_{w}",
    "{p}{w}_{s}",
    "{w}{s}",
    "{p}{s} {w}",
    "{s}-{w}",
    "{w}-{s}{z}",
    "{p}{w}.{s}{z}",
)
_PREFIXES = ("rig_", "Bip01 ", "jnt_", "SK_", "char:", "b_", "hero_", "joint_", "CH_")
_SUFFIXES = ("_jnt", "_bone", "_JT", "_skin", "Bone", "_bind")
_LAYER_WORDS = {
    "def": ("DEF-", "def_", "bind_", "sk_", "D_"),
    "mch": ("MCH-", "mch_", "drv_", "help_"),
    "": ("", "ctl_", "CTRL_", "c_"),
}


def draw_names(keys: Iterable[str], draw: np.random.Generator) -> dict[str, str]:
    """Return a name for each key: one habit for the whole skeleton; sometimes names that say nothing."""
    keys = list(keys)
    if draw.random() < 0.08:
        numbered = draw.choice(["Bone.{:03d}", "joint{}", "b{}"])
        return {key: numbered.format(k) for k, key in enumerate(keys)}
    chances = [0.65, *[0.05] * 7]
    language = str(draw.choice(list(_LANGUAGES), p=chances))
    words = {
        part: str(draw.choice(choices.split(",")))
        for part, choices in (pair.split("=") for pair in _LANGUAGES[language].split())
    }
    sides = _SIDES[language][int(draw.integers(len(_SIDES[language])))]
    pattern, prefix, suffix = (
        str(draw.choice(_PATTERNS)),
        str(draw.choice(_PREFIXES)),
        str(draw.choice(_SUFFIXES)),
    )
    capital = draw.choice(["as is", "title", "upper", "lower"], p=[0.3, 0.4, 0.1, 0.2])
    layered = any(key.startswith("def:") for key in keys)
    layers = {layer: str(draw.choice(choices)) for layer, choices in _LAYER_WORDS.items()} if layered else {}
    start = int(draw.choice([0, 1, 1]))
    digits = str(draw.choice(["{}", "{:02d}", ".{:03d}", "_{:02d}"]))
    names: dict[str, str] = {}
    for key in keys:
        layer, _, plain = key.rpartition(":")
        stem, side = (plain[:-2], plain[-1]) if plain[-2:] in (".L", ".R") else (plain, "")
        word = _word(stem, words, digits, start)
        word = {"title": word.title(), "upper": word.upper(), "lower": word.lower()}.get(str(capital), word)
        shape = pattern if side else re.sub(r"\{s\}[_ -]?|[_.-]\{s\}", "", pattern)
        name = layers.get(layer, "") + shape.format(
            s=sides["LR".index(side)] if side else "", w=word, p=prefix, z=suffix
        )
        while name in names.values():
            name += "_"
        names[key] = name
    return names


def _word(stem: str, words: dict[str, str], digits: str, start: int) -> str:
    """Return what a stem such as `spine 2`, `thigh twist 1` or `finger 0 1` is called."""
    parts = stem.split()
    said = [words.get(parts[0], parts[0])]
    for part in parts[1:]:
        said.append(digits.format(int(part) - 1 + start) if part.isdecimal() else f"_{part}")
    if len(parts) == 2 and parts[1] == "1" and start == 0:
        return said[0]
    return "".join(said)
