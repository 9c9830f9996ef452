# make demo      a Rigify human walks: out/walk.blend, out/walk.webp, contact sheets, report; and a course with a hill, a corner and stairs: out/path.*
# make test      some ten minutes: lint, types, core, Blender 5.0, what differs between versions on 4.2 and 4.5, training, release zip,
#                real Blender where there is one; of costly tests a few cases, others with TURN=
# make test-all  every case, and everything on three versions of Blender
# make compare   plays scenarios with the add-on of BASE and with that of the working tree, and prints what differs
# make bench     the speed table; make bench-neural: whole poses on people left out (needs the motion capture)
# make mutants   small faults put into the code (ROOMS, COUNT, SEED, SUITES, TESTS, LIMIT_S): do the tests notice?
# make weights   train the network of the walk again
# make pose-weights   train the network of whole poses again (MOCAP=folder)
# make sequence-weights   train the network that lets motion go on (MOCAP=folder, GAITS=folder)
# make docs      the site: out/docs/index.html, complete by itself; make docs-zip: as dist/neurarig-docs.zip
# make docs-links   do its links to other sites lead somewhere?  make docs-text: its texts to translate
# make docs-pictures   the first film (some twenty minutes), the pictures of recipes and guide, and with a real Blender (GUI=command) those of the panels: GUI SCRIPT PICTURE
# make zip       dist/neurarig-VERSION.zip
# make godot.zip   the example for Godot, as the site has it to download
# make system-libraries   (Debian, Ubuntu; root) what the bpy wheels load from the system

PYTHON ?= python3.11
# A Blender to test with: a path or command; empty where there is none.
BLENDER ?= $(shell command -v blender)
export BLENDER
# The tests run side by side: let numpy not start threads of its own.
export OPENBLAS_NUM_THREADS = 1
export PYTHONDONTWRITEBYTECODE = 1
export PIP_DISABLE_PIP_VERSION_CHECK = 1

RESULTS = out/tests
PYTEST = -m pytest -q -p no:cacheprovider --junit-xml=$(RESULTS)/$@.xml

# The packages of extras in pyproject.toml: $(call packages,test bpy50)
packages = $$($(PYTHON) -c 'import sys, tomllib; project = tomllib.load(open("pyproject.toml", "rb"))["project"]; \
	print(*project["dependencies"], *(name for extra in sys.argv[1:] for name in project["optional-dependencies"][extra]))' $(1))
define environment
@echo "Installing into $(@D), which takes minutes the first time (Blender as a Python package is 350 MB):" $(call packages,$(1))
$(PYTHON) -m venv $(@D)
$(@D)/bin/pip install --quiet --quiet $(call packages,$(1))
touch $@
endef

BPY50 = suite-bpy50-a-m suite-bpy50-n-z
.PHONY: demo demo-walk demo-path docs docs-zip docs-links docs-text docs-pictures godot.zip
.PHONY: test test-all compare bench bench-neural mutants weights pose-weights sequence-weights lint types zip clean system-libraries suites
.PHONY: suite-lint suite-docs suite-core suite-bpy42 suite-bpy45 suite-bpy50 $(BPY50) suite-training suite-release suite-real-blender

DEMO ?= out
demo: .venv/ready
	@echo "A Rigify human walks, and walks a course with hill and stairs: a minute or two, then the reports follow."
	$(MAKE) --jobs=2 --output-sync=target demo-path demo-walk

demo-walk demo-path: .venv/ready
	.venv/bin/python -m demo.$(@:demo-%=%) --out $(DEMO)

SPHINX = .venv-docs/bin/sphinx-build --fail-on-warning --keep-going --quiet --doctree-dir out/doctrees/$@

docs: .venv-docs/ready
	$(SPHINX) -b html docs out/docs

godot.zip:
	$(PYTHON) docs/godot_zip.py $@

docs-zip: docs
	mkdir -p dist
	cd out && ../.venv-docs/bin/python -m zipfile -c ../dist/neurarig-docs.zip docs

docs-links: .venv-docs/ready
	$(SPHINX) -b linkcheck docs out/docs-links

docs-text: .venv-docs/ready
	$(SPHINX) -b gettext docs out/docs-text

docs-pictures: .venv/ready
	.venv/bin/python -m demo.recipes --out docs/images
	.venv/bin/python -m demo.guide --out docs/images
	.venv/bin/python -m demo.first --out docs/images
	$(if $(GUI),$(GUI) $(CURDIR)/demo/panels.py $(CURDIR)/out/panels.png)
	$(if $(GUI),$(GUI) $(CURDIR)/demo/followed.py $(CURDIR)/out/followed.png)

bench: .venv/ready .venv-train/ready
	.venv-train/bin/python -m benchmarks network_speed profile_logic online_learning ikrig_codec neural_solver_speed link_round_trip --keep out/bench.json
	.venv/bin/python -m benchmarks handler_speed crowd_speed bake_speed retarget_speed neural_pose_speed neural_clip --after out/bench.json

bench-neural: .venv-train/ready
	.venv-train/bin/python -m benchmarks.neural_ik --docs docs/internals/neural-ik.md

weights: .venv-train/ready
	.venv-train/bin/python -m neurarig_addon.training train
	.venv-train/bin/python -m neurarig_addon.training train --gait run

# All of the core and link, where none is named.
ROOMS ?=
COUNT ?= 50
SEED ?= 0
SUITES ?= core
LIMIT_S ?= 16
TESTS ?=
mutants: .venv-dev/ready $(if $(filter training,$(SUITES)),.venv-train/ready) $(if $(filter blender%,$(SUITES)),.venv/ready) \
		$(if $(filter blender42,$(SUITES)),.venv-4.2/ready)
	.venv-dev/bin/python -m tests.mutants $(ROOMS) --count $(COUNT) --seed $(SEED) --suites $(SUITES) --seconds $(LIMIT_S) \
		$(if $(TESTS),--tests $(TESTS))

MOCAP ?= $(or $(NEURARIG_SHARED),../shared)/data/mocap
pose-weights: .venv-train/ready
	.venv-train/bin/python -m neurarig_addon.training pose train $(MOCAP)

GAITS ?= $(or $(NEURARIG_SHARED),../shared)/data/gaits
sequence-weights: .venv-train/ready
	.venv-train/bin/python -m neurarig_addon.training sequence train $(MOCAP) $(GAITS)

lint: suite-lint

zip: .venv/ready
	.venv/bin/python -m tests.release_zip dist

# The longest first.
EVERY_SUITE = $(BPY50) suite-core suite-real-blender suite-bpy42 suite-bpy45 suite-lint suite-training suite-docs suite-release
# What differs between versions of Blender: registration, files, actions with and without slots, curves, tracks, panels.
BETWEEN_VERSIONS = $(patsubst %,tests/blender/test_%.py,registration operators panels live action_layer bake bake_nla own_animation \
	kept_actions kept_tracks kept_files read_clip retarget_link stored keyed_sliders read_armature)
# Of what is done on Rigify's human one test: its own Rigify of 4.2 is walked.
ONE_RIGIFY = -k "not rigify or walks_on_its_own_controls"
# What 4.5 shares with neither: slots as in 5.0, properties stored as in 4.2.
IN_BETWEEN = $(patsubst %,tests/blender/test_%.py,registration operators panels bake_nla own_animation kept_files stored)
REAL_BLENDER = tests/real_blender/test_installed.py \
	tests/real_blender/test_window.py::test_work_ends_by_esc_undo_and_a_closed_window_and_leaves_nothing
TURN ?= 0
export SEED TURN

test:
	@echo "Cases: SEED=$(SEED) TURN=$(TURN); all of them with CASES=all"
	rm -rf $(RESULTS) && mkdir -p $(RESULTS)
	$(MAKE) --jobs=2 --keep-going --output-sync=target $(EVERY_SUITE); $(PYTHON) -m tests.summary $(RESULTS) $(EVERY_SUITE)

test-all:
	CASES=all $(MAKE) test BETWEEN_VERSIONS=tests/blender IN_BETWEEN=tests/blender ONE_RIGIFY= REAL_BLENDER=tests/real_blender

BASE ?= main
compare: .venv/ready
	.venv/bin/python -m tests.compare $(BASE)

suite-lint: .venv-dev/ready | $(RESULTS)
	.venv-dev/bin/python $(PYTEST) tests/test_lint.py tests/test_budget.py

suite-docs: .venv-docs/ready | $(RESULTS)
	.venv-docs/bin/python $(PYTEST) tests/test_site.py

suite-core: .venv-dev/ready | $(RESULTS)
	.venv-dev/bin/python $(PYTEST) tests/core tests/link tests/test_import_rules.py tests/test_docs.py tests/test_told_help.py

suite-bpy42: .venv-4.2/ready | $(RESULTS)
	.venv-4.2/bin/python $(PYTEST) $(BETWEEN_VERSIONS) $(ONE_RIGIFY)

suite-bpy45: .venv-4.5/ready | $(RESULTS)
	.venv-4.5/bin/python $(PYTEST) $(IN_BETWEEN)

suite-bpy50: $(BPY50)

# Half of the files each, side by side: by the first letters of what they test.
$(BPY50): suite-bpy50-%: .venv/ready | $(RESULTS)
	.venv/bin/python $(PYTEST) tests/blender/test_[$*]*.py

suite-training: .venv-train/ready | $(RESULTS)
	.venv-train/bin/python $(PYTEST) tests/training tests/test_told_help.py

suite-release: .venv/ready | $(RESULTS)
	.venv/bin/python $(PYTEST) tests/test_release_zip.py tests/test_told_help.py

suite-real-blender: .venv/ready | $(RESULTS)
	.venv/bin/python $(PYTEST) $(REAL_BLENDER)

$(RESULTS):
	mkdir -p $@

.venv/ready: pyproject.toml
	$(call environment,bpy50 demo batch test)

.venv-4.2/ready: pyproject.toml
	$(call environment,bpy42 test)

.venv-4.5/ready: pyproject.toml
	$(call environment,bpy45 test)

.venv-train/ready: pyproject.toml
	$(call environment,train test)

.venv-dev/ready: pyproject.toml
	$(call environment,dev test)

.venv-docs/ready: pyproject.toml
	$(call environment,docs test)

system-libraries:
	apt-get update
	apt-get install -y --no-install-recommends libgl1 libice6 libsm6 libx11-6 libxext6 libxfixes3 libxi6 libxkbcommon0 libxrender1 libxxf86vm1

clean:
	rm -rf out dist .venv .venv-4.2 .venv-4.5 .venv-train .venv-dev .venv-docs
